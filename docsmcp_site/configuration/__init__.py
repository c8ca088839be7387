"""All settings: what each means, where its value comes from, and the parts of Django's settings that are made of them."""
