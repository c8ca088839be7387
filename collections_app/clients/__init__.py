"""Every outbound call, one module for each thing outside. Modules here decide how to call, not what for, and know no rows."""
