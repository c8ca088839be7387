"""What each request passes, in the order of settings.MIDDLEWARE, before an app sees it."""
