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
    """Whether the file belongs to an Antora module: in the folder of a family, or as a navigation file, which is outside of these."""
    return _PLACE.match(path) is not None


def find_component(path: str) -> str | None:
    """The folder of the file's component, from the root: empty, or with a slash at its end."""
    place = _PLACE.match(path)
    return place["root"].removesuffix("modules/") if place else None


def find_folder(path: str) -> str:
    """The folder of a page within the pages of its module."""
    place = _PLACE.match(path)
    return posixpath.dirname(path[place.end() :]) if place else ""


def get_attributes(path: str) -> Mapping[str, str]:
    """The attributes that Antora itself gives a page."""
    place = _PLACE.match(path)
    if place is None:
        return {}
    folders = {f"{name}sdir": f"{name}$" for name in ("partial", "example", "attachment")}
    names = dict.fromkeys(("env-site", "site-gen-antora"), "")
    return {**folders, **names, "env": "site", "site-gen": "antora", "page-module": place["module"]}


def find_page(target: str, path: str) -> str | None:
    """The path, from the root, of the file that a reference in the page at `path` names. None if it belongs to another component, or if the
    page is not Antora's.
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
    """Like find_page(), for an included file; None if it is named by its path."""
    resource = _RESOURCE.fullmatch(target)
    is_named = resource is not None and (resource["module"] is not None or resource["family"] is not None)
    return find_page(target, path) if is_named else None


def is_elsewhere(target: str) -> bool:
    """Whether it names a file of another component, which this source does not have."""
    resource = _RESOURCE.fullmatch(target)
    return resource is not None and bool(resource["version"] or resource["component"] or resource["module"])
