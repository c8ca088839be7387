"""Every setting: what each is, where its value comes from, and what Django is made of them."""
