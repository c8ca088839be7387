"""Secrets that the server must be able to read again, such as a repository's access token, encrypted by a key made of SECRET_KEY.

Who has the database alone, or a backup of it, cannot read them. What needs only to be compared is kept as a digest instead.
"""

from __future__ import annotations

from base64 import urlsafe_b64encode

from cryptography.fernet import Fernet, InvalidToken
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from django.conf import settings

from collections_app.exceptions import InvalidParameter

_PURPOSE = b"docsmcp: secrets in the database"
_KEY_BYTES = 32


def encrypt(secret: str) -> str:
    return _make_cipher().encrypt(secret.encode()).decode()


def decrypt(encrypted: str) -> str:
    """Raises InvalidParameter when it was encrypted under another SECRET_KEY."""
    try:
        return _make_cipher().decrypt(encrypted.encode()).decode()
    except InvalidToken:
        raise InvalidParameter(
            "The stored secret cannot be read: SECRET_KEY is not the one that it was stored under. "
            "Set SECRET_KEY back, or store the secret anew."
        ) from None


def _make_cipher() -> Fernet:
    """HKDF (RFC 5869) makes a key of its own for this purpose, so that it is no key of anything else."""
    derivation = HKDF(SHA256(), _KEY_BYTES, salt=None, info=_PURPOSE)
    return Fernet(urlsafe_b64encode(derivation.derive(settings.SECRET_KEY.encode())))
