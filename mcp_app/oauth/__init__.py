"""An OAuth 2.1 authorization server for apps that cannot be given an API key, as MCP's authorization describes it.

In the order in which an app comes by: metadata.py (where everything is), registration.py or client_documents.py (who it is), consent.py (a
person allows it), tokens.py (code and refresh token → access token), endpoint.py (the MCP endpoint for access tokens). server.py puts
Authlib's parts together; clients.py and addresses.py are below. What an authorization is and how it ends: access/connected_apps.py.
"""
