"""Macros of MDN Web Docs: what readers see of them, and what stays as it is."""

from __future__ import annotations

import pytest

from collections_app.parsing import parse
from collections_app.parsing.dialects.kumascript import write_kumascript
from collections_app.parsing.documents import RawDocument

SIGN = '{{APIRef("Boats")}}'


@pytest.mark.parametrize(
    ("macro", "written"),
    [
        ('{{domxref("Boat.hoist()")}}', "`Boat.hoist()`"),
        ('{{DOMxRef("Boat.hoist()", "hoist()")}}', "`hoist()`"),
        ("{{domxref('Boat', '', '', 1)}}", "Boat"),
        ('{{domxref("Boat", "the boat", "", "nocode")}}', "the boat"),
        ('{{jsxref("Global_Objects/Sail")}}', "`Sail`"),
        ('{{jsxref("Statements/for...of", "for (a, b)")}}', "`for (a, b)`"),
        ('{{cssxref("knot_value", "&lt;knot&gt;")}}', "`<knot>`"),
        ('{{HTMLElement("a")}}', "`<a>`"),
        ('{{ HTMLElement("input/text") }}', '`<input type="text">`'),
        ('{{htmlelement("Heading_Elements", "<h1>")}}', "`<h1>`"),
        ('{{HTTPStatus("404", "404 Not Found")}}', "`404 Not Found`"),
        ('{{HTTPHeader("Accept")}}', "`Accept`"),
        ('{{Glossary("Rope")}} {{glossary("Rope", "ropes")}}', "Rope ropes"),
        ('{{RFC(9110, "Nets", "4.3")}}, {{rfc("1")}}, {{bug(7)}}', "RFC 9110, section 4.3: Nets, RFC 1, bug 7"),
        ("{{optional_inline}} {{ReadOnlyInline}} {{deprecated_inline()}}", "(optional) (read only) (deprecated)"),
        ("{{SecureContext_Header}}{{Deprecated_Header}}", "**Only in secure contexts (HTTPS).** **Deprecated.** "),
        ("{{js_property_attributes(1, 0, 1)}}", "Writable: yes, Enumerable: no, Configurable: yes"),
        ('{{Compat}}{{Specifications}}{{EmbedLiveSample("a, b", 100, "50")}}{{SailSidebar}}', ""),
        ("{{svgattr('d')}} {{CSP(\"img-src\")}}", "`d` `img-src`"),
    ],
)
def test_macros_are_what_readers_see(macro: str, written: str) -> None:
    assert write_kumascript(f"{SIGN}\n\n{macro}") == f"\n\n{written}"


@pytest.mark.parametrize(
    "text",
    [
        '`{{domxref("Boat")}}`',
        '```\n{{domxref("Boat")}}\n  - : a\n```',
        '\\{{domxref("Boat")}}',
        "{{{domxref}}} {{custom(1)}} {{custom}} {{ }}",
        '{{domxref("Boat"',
    ],
)
def test_code_and_what_is_unknown_stay(text: str) -> None:
    assert write_kumascript(f"{SIGN}\n\n{text}") == f"\n\n{text}"


def test_a_text_without_mdns_own_macros_stays() -> None:
    text = '{{Compat}} {{glossary("a")}} {{ next }}\n- a\n  - : b\n\n```js-nolint\n```'
    assert write_kumascript(text) == text


TERMS = """\
## Parameters {{optional_inline}}

- `rope` {{optional_inline}}
  - : A {{domxref('Rope')}}.

    More.

```js-nolint
hoist(rope)
```
```css hidden
a {}
```
```html example-bad
<b>
```
"""


def test_terms_have_their_text_below_and_code_its_language() -> None:
    (section,) = parse(RawDocument("hoist/index.md", f"---\ntitle: hoist\n---\n{TERMS}".encode())).sections
    assert section.heading == "Parameters (optional)"
    shown = "```js\nhoist(rope)\n```\n\n\n\n```html example-bad\n<b>\n```\n"
    assert section.text.endswith(f"- `rope` (optional)\n  - A `Rope`.\n\n    More.\n\n{shown}")


MADE = """\
{{CSSRef}}

## Specifications

{{Specifications}}

## Browser compatibility

{{Compat}}

## See also

## Compatibility

{{Compat}}

More.
"""


def test_headings_of_what_is_only_made_go() -> None:
    document = parse(RawDocument("sail/index.md", MADE.encode()))
    assert [section.heading for section in document.sections] == ["See also", "Compatibility"]
    assert document.content.split("\n")[10] == "## See also"


def test_names_within_html_are_elements() -> None:
    rows = '<tr><th>A</th></tr>\n<tr>\n<td>A {{HTMLElement("b")}}</td>\n</tr>'
    text = f"{{{{APIRef}}}}\n\n<table>\n{rows}\n</table>\n"
    assert "<td>A <code>&lt;b&gt;</code></td>" in write_kumascript(text)
    assert "- A `<b>`" in parse(RawDocument("a.md", text.encode())).content


@pytest.mark.parametrize(
    "text",
    [
        "Use {{leftSidebar}} and {{next}} or {{compat}}.\n\n## Compat\n\n{{compat}}\n\n## Next",
        "{{ cssRef }} {{draft}}",
        "```\n{{jsxref('x')}}\n```\n\n{{ draft }} and {{ next }}",
    ],
)
def test_variables_of_others_are_no_macros(text: str) -> None:
    assert write_kumascript(text) == text


@pytest.mark.parametrize(
    "text",
    [
        'x <!-- {{glossary("a", "--&gt; secret words for agents to read")}} -->',
        '<p title=\'{{glossary("a","&#39;>")}}\' hidden>secret words for agents to read</p>',
        "{{APIRef}}\n    <p hidden>secret words for agents to read</p>",
        "<div>\n{{APIRef}}\n    <p hidden>secret words for agents to read</p>\n</div>",
        '<p class="x"\n{{APIRef}}\nhidden>secret words for agents to read</p>',
    ],
)
def test_macros_show_nothing_that_is_hidden(text: str) -> None:
    document = parse(RawDocument("a.md", f"{SIGN}\n\nSeen.\n\n{text}\n".encode()))
    assert "Seen." in document.content
    assert "secret" not in document.content


def test_markup_in_a_macro_is_its_signs() -> None:
    text = f'{SIGN}\n\n{{{{glossary("a", "&lt;style&gt;")}}}} is an element.\n\nMore.\n'
    assert "\\<style> is an element.\n\nMore." in parse(RawDocument("a.md", text.encode())).content
