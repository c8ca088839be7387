"""The parts of the admin's theme that these pages use, with the types that it lacks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from django.forms import CheckboxSelectMultiple as ManyChoices
    from django.forms import RadioSelect as OneChoice

    Method = TypeVar("Method", bound=Callable[..., Any])

    def action(**options: Any) -> Callable[[Method], Method]: ...
    def display(**options: Any) -> Callable[[Method], Method]: ...

    DANGER: str
else:
    from unfold.decorators import action, display
    from unfold.enums import ActionVariant
    from unfold.widgets import UnfoldAdminCheckboxSelectMultipleWidget as ManyChoices
    from unfold.widgets import UnfoldAdminRadioSelectWidget as OneChoice

    DANGER = ActionVariant.DANGER

__all__ = ["DANGER", "ManyChoices", "OneChoice", "action", "display"]
