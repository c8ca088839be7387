"""Whether work grows no faster than the text it reads: what tests ask of texts that are made to be slow.

Seconds would depend on the machine, on what else runs there and on whether coverage is measured. How many times longer a text takes than a
quarter of it depends on none of these.
"""

import gc
import time
from collections.abc import Callable
from typing import Any, TypeVar

SHARE = 4  # Quadratic work takes 16 times as long for a text as for a quarter of it.
ALLOWED = 9
ENOUGH = 0.05  # seconds: what takes no more is not slow, and too little to be compared
ATTEMPTS = 4
SEAM = 40

Text = TypeVar("Text", str, bytes, list[Any])


def assert_linear(work: Callable[[Text], object], text: Text, quarter: Text | None = None) -> None:
    """`work` takes at most nine times as long for `text` as for a quarter of it; of a few times measured, the shortest count.

    The quarter is not measured where the whole is no slow text. It is given where the end of a text is none of a quarter, and where
    many parts with a largest length are to be tried: then as many, each a quarter as long.
    """
    quarter = shorten(text) if quarter is None else quarter
    short = long = float("inf")
    for _ in range(ATTEMPTS):
        long = min(long, measure(work, text))
        if long <= ENOUGH:
            return
        short = min(short, measure(work, quarter), measure(work, quarter))
        if long <= ALLOWED * short:
            return
    raise AssertionError(
        f"{len(quarter)} take {short:.3f} s of the processor, {len(text)} take {long:.3f} s: {long / short:.1f} times as long"
    )


def shorten(text: Text) -> Text:
    """About a quarter of a text, with its first and last part: what opens at the one end and closes at the other still does.

    It goes on behind the cut as it does before, where the last part has the characters that stand before the cut.
    """
    part = len(text) // (2 * SHARE)
    start = len(text) - part
    if isinstance(text, list):
        return text[:part] + text[start:]
    before = text[max(0, part - SEAM) : part]
    seam = text.find(before, start)
    return text[:part] + text[start if seam == -1 else seam + len(before) :]


def measure(work: Callable[[Text], object], text: Text) -> float:
    """Seconds of the processor that `work` takes, without those of collecting what earlier tests left.

    That is put off, not done before: in a process that has thousands of tests it takes longer than most texts.
    """
    gc.disable()
    try:
        began = time.process_time()
        work(text)
        return time.process_time() - began
    finally:
        gc.enable()
