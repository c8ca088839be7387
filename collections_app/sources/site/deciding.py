"""What a visit decides: of its page, of pages that waited for it, and which others are offered.

What the page is by itself is said by judging.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from collections_app.exceptions import IngestError
from collections_app.parsing.documents import RawDocument
from collections_app.sources import RefusedFile, SourceFile, UnchangedFile
from collections_app.sources.site.admission import Admission
from collections_app.sources.site.candidates import Candidate, FoundIn
from collections_app.sources.site.canonicals import Canonicals
from collections_app.sources.site.decisions import Decisions
from collections_app.sources.site.foreign_folders import ForeignFolders
from collections_app.sources.site.judging import Verdict, judge
from collections_app.sources.site.pages import FetchState, Visit, find_told_language
from collections_app.sources.site.scope import Scope
from collections_app.sources.site.skips import Skip, SkipReason
from collections_app.sources.site.soft_404s import Soft404s


class Deciding:
    """`known` as in Crawl."""

    def __init__(
        self,
        scope: Scope,
        known: Mapping[str, FetchState],
        soft_404s: Soft404s,
        folders: ForeignFolders,
        admission: Admission,
        canonicals: Canonicals,
        decisions: Decisions,
    ) -> None:
        self._scope = scope
        self._known = known
        self._soft_404s = soft_404s
        self._folders = folders
        self._admission = admission
        self._canonicals = canonicals
        self._decisions = decisions

    def decide(self, candidate: Candidate, visit: Visit | IngestError) -> SourceFile | Skip:
        """Raises Stopped."""
        if isinstance(visit, Visit):
            visit = replace(visit, is_soft_404=self._soft_404s.have(candidate, visit))
        language = find_told_language(visit, self._known) if isinstance(visit, Visit) and visit.has_page else None
        if objection := self._folders.settle(candidate, language):
            return self._conclude(candidate, objection)
        if isinstance(visit, IngestError):
            return self._fail(candidate, visit)
        try:
            verdict = judge(candidate, visit, self._scope, self._known.get(visit.answer.final_url, {}))
        except IngestError as error:
            return self._fail(candidate, error)
        self._follow(candidate, verdict)
        return self._conclude(candidate, self._find_outcome(candidate, verdict))

    def _follow(self, candidate: Candidate, verdict: Verdict) -> None:
        for page in verdict.translations:
            self._scope.rule_out_translation(self._scope.make_path(page))
        for url, found_in in verdict.leads:
            if self._admission.follows_links or found_in is FoundIn.REDIRECT:
                is_moved = found_in is FoundIn.REDIRECT and not isinstance(verdict.outcome, RefusedFile)
                is_promised = candidate.is_promised and is_moved
                self._admission.offer(url, found_in, candidate.url, is_promised=is_promised)

    def _find_outcome(self, candidate: Candidate, verdict: Verdict) -> SourceFile | Skip:
        """The start page was visited whatever the patterns say."""
        if candidate.found_in is FoundIn.START and (objection := self._scope.find_objection(candidate.path)):
            return objection
        if verdict.canonical_url and self._canonicals.defer(candidate, verdict.canonical_url):
            return Skip(SkipReason.COPY, verdict.canonical_url)
        if verdict.is_there:
            self._decisions.existing.add(candidate.path)
        return verdict.outcome

    def _fail(self, candidate: Candidate, error: IngestError) -> RefusedFile:
        refused = self._decisions.add_failure(candidate, error)
        self._canonicals.recall(candidate.path)
        return refused

    def _conclude(self, candidate: Candidate, outcome: SourceFile | Skip) -> SourceFile | Skip:
        self._decisions.add(candidate, outcome)
        if not isinstance(outcome, RawDocument | UnchangedFile):
            self._canonicals.recall(candidate.path)
        return outcome
