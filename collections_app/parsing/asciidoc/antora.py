"""Files by their Antora resource ids: `component:module:family$path`. Works out where they are in a repository, but reads none of them.

https://docs.antora.org/antora/latest/page/resource-id/
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Mapping

_PLACE = re.compile(
    r"(?P<root>(?:.*/)?modules/)(?P<module>[^/]+)/"
    r"(?:(?P<family>pages|partials|examples|images|attachments)(?:/|$)|(?:.*/)?(?=(?:[^/]*[-_])?nav)[^/]*\.adoc$)"
)
_RESOURCE = re.compile(
    r"(?:(?P<version>[^@:$\s]+)@)?(?:(?:(?P<component>[^@:$/\s]*):)?(?P<module>[^@:$/\s]*):)?"
    r"(?:(?P<family>page|partial|example|image|attachment)\$)?(?P<path>[^:$]+)"
)
_FOLDERS: Mapping[str, str] = {
    "page": "pages",
    "partial": "partials",
    "example": "examples",
    "image": "images",
    "attachment": "attachments",
}


def is_in_module(path: str) -> bool:
    """Whether the file is one of Antora's: in a family's folder, or a navigation, which is in none."""
    return _PLACE.match(path) is not None


def find_component(path: str) -> str | None:
    """The folder of the component that the file belongs to, from the root, empty or with a slash at its end."""
    place = _PLACE.match(path)
    return place["root"].removesuffix("modules/") if place else None


def find_folder(path: str) -> str:
    """That of a page within those of its module."""
    place = _PLACE.match(path)
    return posixpath.dirname(path[place.end() :]) if place else ""


def get_attributes(path: str) -> Mapping[str, str]:
    """Those that Antora itself gives a page."""
    place = _PLACE.match(path)
    if place is None:
        return {}
    folders = {f"{name}sdir": f"{name}$" for name in ("partial", "example", "attachment")}
    names = dict.fromkeys(("env-site", "site-gen-antora"), "")
    return {**folders, **names, "env": "site", "site-gen": "antora", "page-module": place["module"]}


def find_page(target: str, path: str) -> str | None:
    """Where the file may be that a reference in the one at `path` names, from the root; None for one of another component, and where
    nothing is Antora's.
    """
    place, resource = _PLACE.match(path), _RESOURCE.fullmatch(target)
    if place is None or resource is None or resource["version"] or resource["component"]:
        return None
    if resource["path"].startswith(("./", "../")) and resource["module"] is None:
        beside = posixpath.dirname(path) if place["family"] else f"{place['root']}{place['module']}/pages"
        return posixpath.normpath(posixpath.join(beside, resource["path"]))
    folder = _FOLDERS[resource["family"] or "page"]
    return posixpath.normpath(
        f"{place['root']}{resource['module'] or place['module']}/{folder}/{resource['path'].lstrip('/')}"
    )


def find_included(target: str, path: str) -> str | None:
    """As find_page(), of a file that is included; None for one that is named by its path."""
    resource = _RESOURCE.fullmatch(target)
    is_named = resource is not None and (resource["module"] is not None or resource["family"] is not None)
    return find_page(target, path) if is_named else None


def is_elsewhere(target: str) -> bool:
    """Whether it names a file of another component, which has no place here."""
    resource = _RESOURCE.fullmatch(target)
    return resource is not None and bool(resource["version"] or resource["component"] or resource["module"])
