"""Names of Java classes and their members as shown on Spring's pages: without packages. It looks nothing up.

Follows https://github.com/spring-io/asciidoctor-extensions (its macro `javadoc:`).
"""

from __future__ import annotations

import re

_METHOD = re.compile(r"(?P<name>[^()]*)\((?P<parameters>[^()]*)\)")


def write_java_name(target: str, form: str) -> str:
    """The name to show: `Owner.run(Class, String...)` for `where/org.Owner#run(java.lang.Class,java.lang.String...)`.

    `form` is `short`, `full` or `annotation`.
    """
    owner, _, member = target.rpartition("/")[2].partition("#")
    if form == "annotation":
        return f"@{_write_class(owner, form)}{_write_member(member.replace('()', ''), form)}"
    return f"{_write_class(owner, form)}{_write_member(member, form)}"


def _write_member(member: str, form: str) -> str:
    method = _METHOD.fullmatch(member)
    if method is None:
        return f".{member}" if member else ""
    parameters = ", ".join(_write_class(each.strip(), form) for each in method["parameters"].split(","))
    return f".{method['name']}({parameters})"


def _write_class(name: str, form: str) -> str:
    """The class's name. Three dots after the type of a variable-length parameter stay."""
    dots = "..." if name.endswith("...") else ""
    name = name.removesuffix(dots)
    shown = name if form == "full" else name.rpartition(".")[2]
    return shown.replace("$", ".") + dots
