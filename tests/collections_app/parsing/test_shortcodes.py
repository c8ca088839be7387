"""Shortcodes that a Hugo site defines itself: what their templates make of them, and what stays as it is written."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from collections_app.parsing import RawDocument
from collections_app.parsing.includes import IncludeResolver

FOLDER = "site/layouts/shortcodes"
UNREADABLE = "{{ range .Site.Pages }}{{ .Title }}{{ end }}"


def write(text: str, templates: Mapping[str, str], folder: str = FOLDER) -> str:
    files = {f"{folder}/{name}.html": content.encode() for name, content in templates.items()}
    page = RawDocument("site/content/en/page.md", text.encode())
    return IncludeResolver(files.get).resolve(page).content.decode()


@pytest.mark.parametrize(
    ("template", "tag", "expected"),
    [
        ("{{- /* of sails */ -}}\n2.1\n", "{{< area >}}", "2.1"),
        ("{{ .Get 0 }} m", "{{% area 12 %}}", "12 m"),
        ('{{ .Get "size" | default "12" }} m', "{{< area >}}", "12 m"),
        ('{{ $size := (.Get "size") -}} {{ $size }} m', '{{< area size="9" >}}', "9 m"),
        ("{{ index .Params 1 | safeHTML }}", "{{< area a b >}}", "b"),
        ('{{ if .Get "long" }}2.1.4{{ else if .Get 0 }}2.1.1{{ else }}2.1{{ end -}}', "{{< area >}}", "2.1"),
        ('{{ if .Get "long" }}2.1.4{{ else if .Get 0 }}2.1.1{{ else }}2.1{{ end -}}', "{{< area x >}}", "2.1.1"),
        ('{{ if .Get "long" }}2.1.4{{ else if .Get 0 }}2.1.1{{ else }}2.1{{ end -}}', '{{< area long="y" >}}', "2.1.4"),
        ('{{ with .Get "size" }}{{ if . }}{{ . }} m{{ end }}{{ else }}{{ with "no" }}{{ . }}{{ end }}{{ end }}', "{{< area >}}", "no"),
        ('{{ if isset .Params "a" }}given{{ end }}', '{{< area a="1" >}}', "given"),
        ("<mark>{{ .Inner | markdownify }}</mark>", "{{< area >}}wide{{< /area >}}", "<mark>wide</mark>"),
        ("{{ markdownify .Inner }}", "{{< area >}}a {{< area >}}wide{{< /area >}} one{{< /area >}}", "a wide one"),
        ("<b>\n  {{ .Get 0 }}\n</b>\n<!-- x --><script>let y</script>", "{{< area 5 >}}", "<b> 5 </b>"),
        ("{{ .Page.Params.boat.name }}", "{{< area >}}", "Skiff"),
        ("{{ with .Page.Params.ship }}{{ . }}{{ else }}none{{ end }}", "{{< area >}}", "none"),
        ("{{ .Site.Params.area }}", "{{< area >}}", "{{< param area >}}"),
    ],
)  # fmt: skip
def test_what_a_template_makes_of_a_tag_stands_in_its_place(template: str, tag: str, expected: str) -> None:
    head = "---\nboat:\n  name: Skiff\n---\n"
    for folder in (FOLDER, "site/layouts/_shortcodes"):
        assert write(f"{head}# Of {tag}\n\nIt is {tag}.\n", {"area": template}, folder) == (
            f"{head}# Of {expected}\n\nIt is {expected}.\n"
        )


def test_parameters_of_the_site_are_known() -> None:
    files = {f"{FOLDER}/area.html": b"{{ site.Params.area }}", "site/config.toml": b'[params]\narea = "12"\n'}
    page = RawDocument("site/content/page.md", b"It is {{< area >}} wide.")
    assert IncludeResolver(files.get).resolve(page).content == b"It is 12 wide."


def test_values_stand_in_code_too() -> None:
    page = "```\nget {{< area >}}\n{{< row >}}\n```\n"
    assert write(page, {"area": "2.1", "row": UNREADABLE}) == page.replace("{{< area >}}", "2.1")


@pytest.mark.parametrize(
    ("template", "tag", "language"),
    [
        ('{{ highlight .Inner "go" "" }}', "run", "go"),
        ('<div class="x">{{ transform.Highlight (trim .Inner "\\n") (.Get 0) }}</div>', "run go", "go"),
        ('{{- highlight (.Inner | safeHTML) (.Get "lang" | default "go") "linenos=table" -}}', "run", "go"),
        ('{{ $code := highlight .Inner (.Get "lang") }}{{ with .Get "title" }}{{ . }}{{ end }}{{ $code }}', "run", ""),
        ('{{ highlight .Inner "two words" }}', "run", ""),
    ],
)
def test_what_a_template_highlights_is_code(template: str, tag: str, language: str) -> None:
    code = "func Sail() {\n\n\t# `a`\n}"
    page = f"Run:\n\n{{{{< {tag} >}}}}\n{code}\n{{{{< /run >}}}}\n"
    assert write(page, {"run": template}) == f"Run:\n\n```{language}\n{code}\n```\n"
    fenced = page.replace("# `a`", "```")
    assert f"````{language}\nfunc" in write(fenced, {"run": template})
    within = f"It is {{{{< {tag} >}}}}sail(){{{{< /run >}}}}."
    assert write(within, {"run": template}) == "It is sail()."


def test_what_a_template_highlights_of_its_own_stays() -> None:
    page = "{{< run >}}\nsail\n{{< /run >}}\n"
    assert write(page, {"run": '{{ highlight (readFile "a") "go" }}{{ .Inner }}'}) == "\nsail\n\n"


def test_text_in_boxes_stays_markdown() -> None:
    page = "{{< row >}}\n- one\n- two\n\n{{< /row >}}\n"
    written = write(page, {"row": '<div class="row">\n  <p>{{ .Inner }}</p>\n</div>'})
    assert written.split() == ["-", "one", "-", "two"]
    assert write(page, {"row": '<div style="display: none">{{ .Inner }}</div>'}).split() == written.split()


@pytest.mark.parametrize(
    ("tag", "expected"),
    [
        ("{{< row >}}\na\n{{< /row >}}", "\na\n"),
        ('{{< row "Two words" >}}\na\n{{< /row >}}', "**Two words** \na\n"),
        ('{{< row head="12" tail="8" >}}\na\n{{< /row >}}', "\na\n"),
        ('{{< row class="big" title="One" >}}\na\n{{< /row >}}', "**One** \na\n"),
        ('{{< row "row row-striped" >}}\na\n{{< /row >}}', "\na\n"),
        ('{{% row "big" %}}\na\n{{% /row %}}', "\na\n"),
        ('{{< row says="a lot" >}}\na\n{{< /row >}}', '{{< row says="a lot" >}}\na\n{{< /row >}}'),
        ("{{< rows >}}", ""),
        ('{{< rows class="big" >}}', ""),
        ("{{< rows of ships >}}", "{{< rows of ships >}}"),
        ('{{< partial "ships.html" >}}', ""),
        ("It is {{< rows >}}.", "It is {{< rows >}}."),
        ("{{< unknown >}}", "{{< unknown >}}"),
    ],
)
def test_of_what_cannot_be_read_the_text_within_stays(tag: str, expected: str) -> None:
    templates = {"row": f"{{{{ .Inner }}}}{UNREADABLE}", "rows": UNREADABLE, "partial": "{{ partial (.Get 0) . }}"}
    assert write(f"A\n\n{tag}\n\nB\n", templates) == f"A\n\n{expected}\n\nB\n"


@pytest.mark.parametrize(
    "template",
    ["{{ .Get }}", "{{ end }}", "{{ if .Get 0 }}x", "{{ else }}", '{{ printf "%s" 1 }}', "{{ . }}", "{{ .Get 0", "{{ $a }}", "{{}}",
     "{{ " + "(" * 3_000 + ".Get 0" + ")" * 3_000 + " }}", "{{ " + "safeHTML " * 800 + ".Get 0 }}"],
)  # fmt: skip
def test_broken_templates_are_not_read(template: str) -> None:
    assert write("It is {{< area 1 >}}.", {"area": template}) == "It is {{< area 1 >}}."


def test_tags_that_are_known_everywhere_and_unclosed_ones_stay() -> None:
    page = '{{< tab "One" >}}x{{< /tab >}} {{< a >}}{{< b >}}y{{< /a >}} {{< /b >}}'
    assert (
        write(page, {"tab": "no", "a": "({{ .Inner }})", "b": "b"}) == '{{< tab "One" >}}x{{< /tab >}} (by) {{< /b >}}'
    )


def test_many_shortcodes_take_linear_time() -> None:
    templates = {"a": "{{ .Inner }}{{ .Inner }}", "b": "{{ .Get 0 }}" + "{{/* x */}}" * 700}
    assert len(write("{{< a >}}" * 20_000 + "x" + "{{< /a >}}" * 20_000, templates)) > 100_000
    assert len(write("".join(f"{{{{< b {number} >}}}} " for number in range(20_000)), templates)) > 100_000
    assert write("{{< a >}} " * 20_000, templates).strip() == ""


def test_a_template_is_read_once_however_many_tags_it_has() -> None:
    tags = "{{< a 1 >}} " * 5_000
    for piece in ("<!--", "<script>"):
        assert write(tags, {"a": "x" + piece * 900}).startswith("x x x")
    assert write(tags, {"a": "{{ " + "- " * 3_900 + "}}"}) == tags


def test_only_so_many_names_of_a_page_are_looked_for() -> None:
    asked = set[str]()
    page = RawDocument("content/page.md", "".join(f"{{{{< name{number} >}}}}" for number in range(5_000)).encode())
    assert IncludeResolver(asked.add).resolve(page) == page
    assert len(asked) < 2_000
