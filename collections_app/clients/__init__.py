"""Every outbound call, one module for each thing outside. It decides how to call, never what for, and knows no rows."""
