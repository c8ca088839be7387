#!/usr/bin/env python
"""The `docsmcp` command, from a source checkout."""

from docsmcp_site.command_line import main

if __name__ == "__main__":
    main()
