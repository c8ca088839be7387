"""The collection's content policy, applied to a parser's result: NormalisedText in, NormalisedText out. It moves no line.

    strip        removes invisible characters, comments and hidden text; replaces text addressed to a model with a note
    flag         leaves the text as it is
    quarantine   removes what nobody sees; hidden prose and text addressed to a model keep the document from being served

Every finding is reported in any case. Text addressed to a model in code or between quotation marks is reported but left in place,
because documentation about models quotes it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from collections_app.parsing.documents import ContentPolicy, Finding, FindingKind, NormalisedText
from collections_app.parsing.safety.facts import clean_fact, clean_facts, find_in_path
from collections_app.parsing.safety.hidden_html import cut_hidden, find_hidden, iter_hidden_findings
from collections_app.parsing.safety.instructions import has_instructions
from collections_app.parsing.safety.invisible import iter_run_findings, strip_invisible_lines
from collections_app.parsing.safety.passages import NOTE, describe_passage, find_passages, replace_passages
from collections_app.parsing.safety.places import Places
from collections_app.parsing.safety.prose import is_telling_comment

__all__ = ["MAX_FINDINGS", "NOTE", "WITH_RAW_HTML", "apply_policy", "clean_fact", "find_in_path", "is_suspicious"]

MAX_FINDINGS = 100
"""Further findings are treated alike, but not reported."""

WITH_RAW_HTML = frozenset({"markdown", "mdx", "notebook", "openapi"})


def apply_policy(text: NormalisedText, policy: ContentPolicy) -> tuple[NormalisedText, bool]:
    """The text as the policy leaves it, and whether it must be reviewed before it is served.

    Findings are those of the parser, of invisible characters, of hidden HTML and of passages, each in line order, then those of the facts.
    Passages in code or quotation marks come last.
    """
    is_stripping, is_replacing = policy is not ContentPolicy.FLAG, policy is ContentPolicy.STRIP
    content, runs = strip_invisible_lines(text.content)
    places = Places(content, has_markup=text.format != "text")
    hidden = find_hidden(places, is_jsx=text.format == "mdx") if text.format in WITH_RAW_HTML else []
    remaining = Places(cut_hidden(places, hidden), has_markup=text.format != "text") if hidden else places
    passages = find_passages(remaining)
    facts, facts_findings = clean_facts(text, policy)
    served = [
        *_iter_telling(text.findings),
        *iter_run_findings(runs, removed=is_stripping),
        *iter_hidden_findings(hidden, places, removed=is_stripping),
        *(describe_passage(each, removed=is_replacing) for each in passages if not each.is_quoted),
        *facts_findings,
    ]
    quoted = [describe_passage(each, removed=False) for each in passages if each.is_quoted]
    stripped = replace_passages(remaining, passages) if is_replacing else remaining.content
    findings = tuple([*served, *quoted][:MAX_FINDINGS])
    return replace(facts, content=stripped if is_stripping else text.content, findings=findings), is_suspicious(served)


def is_suspicious(findings: Iterable[Finding]) -> bool:
    """Whether one of the findings must be reviewed before the document is served."""
    return any(each.kind in (FindingKind.HIDDEN_TEXT, FindingKind.INSTRUCTIONS) for each in findings)


def _iter_telling(findings: Iterable[Finding]) -> Iterator[Finding]:
    """Those of the parser's findings that are worth reporting. Parsers report every comment; its words are judged here for all formats."""
    for finding in findings:
        if finding.kind is not FindingKind.COMMENT:
            yield finding
        elif has_instructions(finding.excerpt):
            yield replace(finding, kind=FindingKind.INSTRUCTIONS)
        elif is_telling_comment(finding.excerpt):
            yield finding
