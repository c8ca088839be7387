"""Leaves the frames out of a pasted stack trace: what went wrong remains. PURE.

Frames name files and functions, mostly of the asker's program and of libraries. There are many more of these words than of the error's, and
sections that happen to have them are about something else.
"""

from __future__ import annotations

import re

# Python: a head, frames with a line of code each, and the error. On one line (check_query()) only its name with a colon tells it from code.
HEAD = "Traceback (most recent call last):"
FRAME = re.compile(r'File "[^"]{1,500}", line \d+(?:, in \S+)?')
ERROR = re.compile(r"(?<!\S)(?:[A-Za-z_]\w*\.)*[A-Z]\w*(?:: |:?$)")
BETWEEN = re.compile(
    r"During handling of the above exception, another exception occurred:"
    r"|The above exception was the direct cause of the following exception:"
)
# Java, Kotlin and Scala: `at com.example.Gear.turn(Gear.java:12)`, `... 12 more`. JavaScript: `at turn (/srv/gear.js:12:5)`,
# `at file:///srv/gear.js:12:5`. C#: `at Example.Gear.Turn(Int32 times) in /srv/Gear.cs:line 12`.
FRAMES = re.compile(
    r"""
    (?<!\S)at\ (?:
        (?:(?:async|new)\ )?[\w$.<>/@\[\]`]+\ ?
            \((?:[^()]{1,300}:\d+(?::\d+)?|index\ \d+|Native\ Method|Unknown\ Source|<anonymous>)\)(?:\ ~?\[[^\]]{1,200}\])?
        | [\w$.<>`\[\],]+\([^()]{0,300}\)\ in\ \S+:line\ \d+
        | (?:file|node|https?):\S{1,300}:\d+:\d+
        | /\S{1,300}:\d+:\d+
    )(?!\S)
    | (?<!\S)\.\.\.\ \d+\ (?:more|common\ frames\ omitted)(?!\S)
    """,
    re.VERBOSE,
)


def leave_out_frames(text: str) -> str:
    """The text, which is on one line, without the frames of stack traces; the text itself if it has none, or nothing else."""
    before, *traces = text.split(HEAD)
    said = " ".join([before, *map(find_error, traces)])
    return " ".join(BETWEEN.sub(" ", FRAMES.sub(" ", said)).split()) or text


def find_error(trace: str) -> str:
    """What a traceback of Python says after its last frame: `trace` is what follows its head. All of it if it has no frame or no error."""
    end = max((frame.end() for frame in FRAME.finditer(trace)), default=0)
    error = ERROR.search(trace, end) if end else None
    return trace[error.start() :] if error else f"{HEAD}{trace}"
