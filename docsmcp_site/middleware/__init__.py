"""What each request passes before it reaches an app. The order is in settings.MIDDLEWARE."""
