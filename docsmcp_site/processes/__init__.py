"""The processes of an installation: the web server and the queue, and what starts, watches and ends them."""
