"""What `docsmcp` and `docsmcp help` print: the commands that an operator needs, by purpose. PURE: text."""

from __future__ import annotations

# Includes the commands of Django that operators need.
COMMANDS: dict[str, dict[str, str]] = {
    "Run it": {
        "up": "everything on this machine: database, web server, queue; ingests a directory",
        "migrate": "make the tables those of this release; once, before the next two",
        "run_gunicorn": "the web server alone",
        "run_qcluster": "the queue alone",
        "mcp_stdio": "MCP over standard input and output, for one user",
        "doctor": "is everything well, and what to do if not",
    },
    "Fill it": {
        "ingest_path": "a directory, now",
        "ingest_site": "a website, now and again every day",
        "ingest_git": "a Git repository, the same",
        "sync_sources": "list sources, read them again, remove them",
        "jobs": "list ingest jobs, show, cancel, retry them",
        "restore_documents": "bring removed documents back",
        "reindex": "make the index anew",
        "export_collection": "a collection as one file",
        "import_collection": "a collection from such a file",
    },
    "Let others in": {
        "issue_api_key": "make a key for an agent",
        "api_keys": "list, rotate, revoke keys",
        "createsuperuser": "make an account for the admin",
        "changepassword": "give an account another password",
    },
    "Keep it": {
        "backup": "the whole database as one file",
        "restore": "a backup into an empty database",
        "tenants": "what tenants have stored, and may",
        "roles": "the database's roles for row-level security",
    },
}

USAGE = "docsmcp COMMAND --help has a command's options; every setting is a flag too, such as --mcp-server-port 9000."
MORE = "docs/operations.md tells of each. Django's other commands: docsmcp help --commands"


def describe_commands() -> str:
    blocks = [
        "\n".join([f"{title}:", *(f"  {name:<18} {what}" for name, what in commands.items())])
        for title, commands in COMMANDS.items()
    ]
    return "\n\n".join([USAGE, *blocks, MORE])
