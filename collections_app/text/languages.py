"""Detects the language of texts; languages have PostgreSQL's names for text search, and the web's tags. PURE.

Detection uses py3langid: naive Bayes over sequences of bytes (Lui and Baldwin, "langid.py: An Off-the-shelf Language Identification Tool",
2012).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence

from collections_app.text.markdown.code_blocks import iter_fenced_code

TAGS = {
    "arabic": "ar", "armenian": "hy", "basque": "eu", "catalan": "ca", "danish": "da", "dutch": "nl", "english": "en",
    "finnish": "fi", "french": "fr", "german": "de", "greek": "el", "hindi": "hi", "hungarian": "hu", "indonesian": "id",
    "irish": "ga", "italian": "it", "lithuanian": "lt", "nepali": "ne", "norwegian": "no", "portuguese": "pt", "romanian": "ro",
    "russian": "ru", "serbian": "sr", "spanish": "es", "swedish": "sv", "tamil": "ta", "turkish": "tr", "yiddish": "yi",
}  # fmt: skip
LANGUAGES = {tag: name for name, tag in TAGS.items()} | {"nb": "norwegian", "nn": "norwegian"}

# How much prose is needed in all texts together; with less, names and commands outweigh words.
ENOUGH_CHARACTERS = 1_000
# How much of each text is read; the rest is in the same language.
MOST_CHARACTERS = 3_000
# A line of fewer words is a heading, a name or a command.
SENTENCE_WORDS = 5
MAJORITY = 2 / 3

Classify = Callable[[str], tuple[str, float]]


def find_languages(samples: Iterable[Iterable[str]]) -> Iterator[str | None]:
    """For each sample of Markdown texts the tag of its language, which at least two thirds of their prose must be in.

    Empty if there is no such language; None if there is too little prose to tell.
    """
    classify: Classify | None = None
    for texts in samples:
        prose = [each for text in texts if (each := take_prose(text))]
        if sum(map(len, prose)) < ENOUGH_CHARACTERS:
            yield None
        else:
            classify = classify or load_classifier()
            yield find_majority(prose, classify)


def find_majority(prose: Sequence[str], classify: Classify) -> str:
    found: Counter[str] = Counter()
    for text in prose:
        found[classify(text)[0]] += len(text)
    [(tag, characters)] = found.most_common(1)
    return tag if characters >= MAJORITY * found.total() else ""


def load_classifier() -> Classify:
    """A function text → (tag, confidence). It takes 75 MB, so it must not be kept: a collection needs it once."""
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    classify: Classify = LanguageIdentifier.from_model_file(MODEL_FILE).classify
    return classify


def take_prose(text: str) -> str:
    """The first sentences of a Markdown text, without its code."""
    taken: list[str] = []
    left = MOST_CHARACTERS
    for line in iter_prose_lines(text):
        taken.append(line[:left])
        left -= len(line) + 1
        if left <= 0:
            break
    return "\n".join(taken)


def iter_prose_lines(text: str) -> Iterator[str]:
    lines = text.splitlines()
    code = {number for block in iter_fenced_code(lines) for number in range(block.start, block.end)}
    for number, line in enumerate(lines):
        if number not in code and len(line.split(maxsplit=SENTENCE_WORDS - 1)) == SENTENCE_WORDS:
            yield line.strip()
