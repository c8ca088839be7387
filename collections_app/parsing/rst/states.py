"""Docutils' states, made when they are needed. For each list, item and table cell docutils runs another state machine, and makes all of its
15 states with all of their patterns beforehand, though most of these machines need two or three: a third of the time of reading.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from docutils.parsers.rst import states
from docutils.statemachine import StringList

from collections_app.parsing.rst.sphinx_directive import Facts


class _States(dict[str, Any]):
    """The states of a machine by their names."""

    def __init__(self, machine: _NestedStateMachine, classes: Iterable[type]) -> None:
        super().__init__()
        self._machine = machine
        self._classes = {each.__name__: each for each in classes}

    def __missing__(self, name: str) -> Any:
        state = self[name] = self._classes[name](self._machine, self._machine.debug)
        if hasattr(self._machine, "memo"):  # it runs already; else it initialises its states when it begins to run
            state.runtime_init()
        return state


class _NestedStateMachine(states.NestedStateMachine):
    def add_states(self, state_classes: Iterable[type]) -> None:
        self.states = _States(self, state_classes)


class _OwnState:
    """What a state hands on to the machines inside it, kept apart from those of other users of docutils."""

    nested_sm = _NestedStateMachine
    nested_sm_cache: ClassVar[list[_NestedStateMachine]] = []

    def __init__(self, state_machine: Any, debug: bool = False) -> None:
        super().__init__(state_machine, debug)  # type: ignore[call-arg]
        self.nested_sm_kwargs = {"state_classes": STATE_CLASSES, "initial_state": "Body"}

    def parse_extension_options(self, option_spec: Any, datalines: StringList) -> tuple[int, Any]:
        """Docutils refuses options with names of several words, and the directive with them."""
        if isinstance(option_spec, Facts):
            datalines = StringList([option_spec.join_names(line) for line in datalines], items=list(datalines.items))
        return super().parse_extension_options(option_spec, datalines)  # type: ignore[misc,no-any-return]


STATE_CLASSES = tuple(type(each.__name__, (_OwnState, each), {}) for each in states.state_classes)
"""For a parser of docutils, in place of its own."""
