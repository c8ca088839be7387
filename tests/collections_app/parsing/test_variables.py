"""Variables of a site: the values of names for each generator, where they count, and what stays as it is written."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

import pytest

from collections_app.parsing import parse
from collections_app.parsing import variables as variables_module
from collections_app.parsing.detection.document_names import find_advice
from collections_app.parsing.documents import RawDocument
from collections_app.parsing.front_matter.block import MAX_CONFIGURATION_CHARACTERS
from collections_app.parsing.includes import IncludeResolver
from collections_app.parsing.rst.code_language import MAX_CHARACTERS as MAX_CODE_CHARACTERS
from collections_app.parsing.rst.code_language import SPHINX_DEFAULT
from collections_app.parsing.rst.code_language import find_language as find_python
from collections_app.parsing.safety.places import Places
from collections_app.parsing.sphinx.myst_fences import blank_boxes
from collections_app.parsing.variables.assigned import read_assigned
from collections_app.parsing.variables.loops import write_loops
from collections_app.parsing.variables.substitutions import add_substitutions, read_definitions
from tests.growth import assert_linear


def resolve(text: str, files: Mapping[str, str], path: str = "docs/guide/page.md") -> str:
    encoded = {name: content.encode() for name, content in files.items()}
    return IncludeResolver(encoded.get).resolve(RawDocument(path, text.encode())).content.decode()


OPENING = """\
myst_substitutions = {{}}
if os.path.exists("./reuse/names.yaml"):
    with open("./reuse/names.yaml", "r") as file:
        {}.update(yaml.safe_load(file.read()))
"""


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("{% assign yes = '**Yes**' %}\n\n{{yes}}, {{ yes }}", "**Yes**, **Yes**"),
        ('{%- assign feet = 12 -%}\n{% assign rope = "" %}\n\n{{ feet }}{{ rope }} feet', "12 feet"),
        ("{% assign harbour = site.harbour %}\n\n[A]({{harbour}}/a)", "[A](https://a/a)"),
        ("{% assign a = b %}{% assign b = a %}\n\n{{ a }}", None),
        ("{% assign sea = 'North' %}{% assign sea = 'South' %}\n\n{{ sea }}", None),
        ("{% assign sea = 'North' %}{% for sea in seas %}{% endfor %}\n\n{{ sea }}", None),
        ("{% assign sea = 'North' | upcase %}\n\n{{ sea }}", None),
        ("```\n{% assign sea = 'North' %}\n```\n\n{{ sea }}", None),
        ("{% assign sea = 'North' %}\n\n`{{ sea }}`", None),
    ],
)
def test_a_name_is_what_the_page_assigns_to_it_once(text: str, written: str | None) -> None:
    told = resolve(f"# Winches\n\n{text}\n", {"_config.yml": "harbour: https://a"})
    if written is None:
        assert "{{ " in told.rpartition("\n\n")[2]
    else:
        assert told.rpartition("\n\n")[2] == f"{written}\n"


@pytest.mark.parametrize(
    ("text", "files", "written"),
    [
        ("{{ site.product }} {{site.sea.name}}", {"docs/_config.yml": "product: Winch\nsea: {name: North}"}, "Winch North"),
        ("{{ site.product }}", {"jekyll.yml": "product: Winch"}, "Winch"),
        ("{{ site.data.ropes.thin.mm }}", {"_data/ropes.yml": "thin: {mm: 1.10}"}, "1.10"),
        ("{{ ropes.thin }}", {"docs/_data/ropes.json": '{"thin": 4}'}, "4"),
        ("{{site.winch-api}}/a", {"docs/data/site.yaml": "api: https://a\nwinch-api: '{{site.api}}/w'"}, "https://a/w/a"),
        ("{% data variables.product.name %}", {"data/variables/product.yml": "name: Winch"}, "Winch"),
        ("{%- data ui.buttons.turn -%}", {"data/ui.yml": "buttons: {turn: Turn it}"}, "Turn it"),
        ("So: {% data reusables.sea.rule %}", {"data/reusables/sea/rule.md": "---\na: b\n---\nMind it.\n"}, "So: Mind it."),
        ("{{winch}}", {"docs/docset.yml": "subs:\n  winch: Grand Winch"}, "Grand Winch"),
        ("{{ ship.name }}", {"mkdocs.yml": "plugins: [search, macros]\nextra: {ship: {name: Ada}}"}, "Ada"),
        ("{{ ship }}", {"mkdocs.yml": "theme: !!python/name:a.b\nplugins:\n- macros: {a: b}\nextra: {ship: Ada}"}, "Ada"),
        ("{{ ship }}", {"properdocs.yml": "plugins: [macros]\nextra: {ship: Ada}"}, "Ada"),
        ("{{ ship }}", {"docs.json": '{"variables": {"ship": "Ada"}}'}, "Ada"),
        ("{{ book.ship }}", {"book.json": '{"variables": {"ship": "Ada"}}'}, "Ada"),
        ("{{ ship }}", {"docs/conf.py": "myst_substitutions = {\n  'ship': \"Ada\",  # a\n  'n': 1,\n}\n"}, "Ada"),
        ("{{ ship }}", {"_config.yml": "sphinx: {config: {myst_substitutions: {ship: Ada}}}"}, "Ada"),
        ("{{ ship }}", {"docs/conf.py": OPENING.format("myst_substitutions"), "docs/reuse/names.yaml": "ship: Ada"}, "Ada"),
        (
            "{{ ship }}",
            {"docs/conf.py": "myst_substitutions = yaml.safe_load(open('n.yml'))\n", "docs/n.yml": "{ship: Ada, mast: 1}"},
            "Ada",
        ),
        ("{{ ship }}", {"docs/conf.py": OPENING.format("others"), "docs/reuse/names.yaml": "ship: Ada"}, "{{ ship }}"),
        (
            "```{note}\n{{ ship }}\n```\n\n```sh\n{{ ship }}\n```",
            {"docs/conf.py": "myst_substitutions = {'ship': 'Ada'}\n"},
            "```{note}\nAda\n```\n\n```sh\n{{ ship }}\n```",
        ),
        ('{{< param "sea.name" >}}', {"hugo.toml": '[params.sea]\nName = "North"'}, "North"),
        ("{{% param version %}}", {"config/_default/params.yaml": "version: 1.10"}, "1.10"),
        ("{{< var ship.name >}}", {"_variables.yml": "ship:\n  name: Ada"}, "Ada"),
        ("{{< meta ship >}}", {"docs/_quarto.yml": "ship: Ada"}, "Ada"),
        ("%ship% 100%", {"docs/v.list": '<vars><var name="ship" value="Ada &amp; co"/></vars>'}, "Ada & co 100%"),
        ("[a]({{ '/b/' | relative_url }})", {"_config.yml": "a: b"}, "[a](/b/)"),
        ("[a]({{ site.baseurl }}/b/)", {"_config.yml": "a: b"}, "[a](/b/)"),
        ("[a]({{ site.baseurl }}/b/)", {"_config.yml": "baseurl: /ship"}, "[a](/ship/b/)"),
        ("[a]({{ site.baseurl }}/b/)", {}, "[a]({{ site.baseurl }}/b/)"),
        ("A {{ site.lines }} | b", {"_config.yml": "lines: |\n  one\n  two\n"}, "A one two | b"),
        ("1. {% data reusables.sea.rules %}", {"data/reusables/sea/rules.md": "One.\n\nTwo.\n"}, "1. One.\n\n   Two."),
        ("{{< param big >}}", {"hugo.toml": f"[params]\nbig = 0x{'f' * 5000}"}, "{{< param big >}}"),
    ],
)  # fmt: skip
def test_a_name_is_what_the_site_says_that_it_stands_for(text: str, files: Mapping[str, str], written: str) -> None:
    assert resolve(f"# Winches\n\n{text}\n", files) == f"# Winches\n\n{written}\n"


@pytest.mark.parametrize(
    ("head", "text", "written"),
    [
        ("title: Ropes", "{{ page.title }} {{ $frontmatter.title }}", "Ropes Ropes"),
        ("sub:\n  sea: North", "{{sea}}", "North"),
        ("myst:\n  substitutions:\n    sea: North", "{{ sea }}", "North"),
        ("sea: North", '{{< param "sea" >}} {{< meta sea >}}', "North North"),
        ("a: 1", "{{ page.title }} {{ page }}", "{{ page.title }} {{ page }}"),
    ],
)
def test_front_matter_says_what_its_own_names_stand_for(head: str, text: str, written: str) -> None:
    assert resolve(f"---\n{head}\n---\n{text}\n", {}) == f"---\n{head}\n---\n{written}\n"


SITE = {
    "_config.yml": "ship: Ada\nempty:\nlist: [a]",
    "docs/docset.yml": "subs: {sea: North}",
    "data/user.json": '{"name": "A"}',
    "v.list": "<vars></vars>",
}


@pytest.mark.parametrize(
    "text",
    [
        "{{ site.other }} {{ other }} {{ site }} {{ site.list }}",
        "{{ site.ship | upcase }} {% if site.ship %}",
        "${{ site.ship }} \\{{ site.ship }} {{{ site.ship }}}",
        "{% raw %}{{ site.ship }}{% endraw %}",
        "`{{sea}}`",
        "```\n{{sea}}\n```",
        "{% data variables.other.name %} {% data reusables.other %}",
        "50% of %ship% and a%20b%",
        "{{ .Site.ship }} {{ site['ship'] }}",
        "{{ '/a' | relative_url | upcase }}",
        "```jinja\n{{ user.name }}\n```",
    ],
)
def test_what_nothing_defines_or_is_more_than_a_name_stays(text: str) -> None:
    assert resolve(f"{text}\n", SITE) == f"{text}\n"


def test_template_languages_write_code_too() -> None:
    assert resolve("```sh\nget {{ site.ship }}{{ site.empty }}\n```\n", SITE) == "```sh\nget Ada\n```\n"


def test_behind_what_is_raw_names_count_again() -> None:
    text = "{% raw %}{{ site.ship }}{% endraw %} {{ site.ship }} {% raw %} {{ site.ship }}"
    assert resolve(text, SITE).endswith("{% endraw %} Ada {% raw %} Ada")


def test_the_nearest_file_counts() -> None:
    files = {"_config.yml": "ship: Ada", "docs/_config.yml": "ship: Bea"}
    assert resolve("{{ site.ship }}", files) == "Bea"
    assert resolve("{{ site.ship }}", files, "other/page.md") == "Ada"


def test_front_matter_takes_what_needs_no_quotes() -> None:
    files = {"data/variables/a.yml": 'plain: GitHub Pages\nquoted: "it\'s: new"'}
    head = "---\ntitle: 'About {% data variables.a.plain %}'\nintro: '{% data variables.a.quoted %}'\n---\n"
    written = resolve(f"{head}Text.\n", files)
    assert "title: 'About GitHub Pages'\nintro: '{% data variables.a.quoted %}'" in written
    assert parse(RawDocument("a.md", written.encode())).title == "About GitHub Pages"


def test_headings_are_found_by_what_stands_in_them() -> None:
    text = resolve("# A\n\n## Turning {% data variables.a.b %}\n\nText.\n", {"data/variables/a.yml": "b: winches"})
    assert [section.section_id for section in parse(RawDocument("a.md", text.encode())).sections][-1].endswith(
        "turning-winches"
    )


def test_names_that_stand_for_themselves_end() -> None:
    files = {"_config.yml": "a: '{{ site.b }}{{ site.b }}'\nb: '{{ site.a }}{{ site.a }}'"}
    assert len(resolve("{{ site.a }}", files)) < 1000


def test_a_page_grows_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables_module, "MAX_ADDED_CHARACTERS", 30)
    assert resolve("{{ site.a }} {{ site.a }} {{ site.a }}", {"_config.yml": "a: abcd"}) == "abcd abcd {{ site.a }}"


def test_what_stands_for_nothing_has_a_price() -> None:
    """Otherwise a page of such names with such values takes hours."""
    files = {"mkdocs.yml": f"plugins: [macros]\nextra: {{e: '', a: '{'{{e}}' * 10_000}'}}"}
    assert resolve("{{ a }}" * 1000, files).endswith("{{ a }}" * 900)


def test_a_page_has_so_many_names_looked_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(variables_module, "MAX_NAMES", 2)
    text = resolve("{{ site.a }} {{ site.b }} {{ site.c }} {{ site.a }}", {"_config.yml": "a: 1\nb: 2\nc: 3"})
    assert text == "1 2 {{ site.c }} 1"


def find_warnings(text: str, path: str = "a.md") -> list[str]:
    """The warnings about a page that was uploaded by itself."""
    return [
        each for each in parse(RawDocument(path, resolve(text, {}).encode())).warnings if "Names of its site" in each
    ]


@pytest.mark.parametrize("path", ["a.md", "a.mdx"])
@pytest.mark.parametrize(
    "name",
    [
        "{{ site.ship }}",
        "{{site.data.ropes.thin}}",
        "{% data variables.product.name %}",
        "{% data reusables.sea.rule %}",
        "{{< var ship >}}",
        "{{< meta ship >}}",
        '{{% param "ship" %}}',
        "{{ '/b/' | relative_url }}",
    ],
)
def test_a_page_by_itself_is_told_to_have_names_of_its_site(name: str, path: str) -> None:
    (warning,) = find_warnings(f"# Winches\n\nTurn {name} and {name} twice.\n", path)
    assert warning.startswith(f"Names of its site stand in its text as they are written: {name}. Directories, Git")


@pytest.mark.parametrize(
    "text",
    [
        "`{{ site.ship }}` ``{{< var ship >}}``",
        "```liquid\n{{ site.ship }}\n```",
        "    {% data variables.product.name %}",
        "{% raw %}{{ site.ship }}{% endraw %}",
        "\\{{ site.ship }} ${{ site.ship }} {{{ site.ship }}}",
        "{% for site in sites %}{{ site.name }}{% endfor %}",
        "{{ name }} {{ user.name }} {{ page.other }} {{ book.title }} {{ $frontmatter.other }} {{ site }}",
        "{{< ref a >}} {% data %} 50% of %APPDATA% and %PATH%",
        "{{ .Site.ship }} {{ site['ship'] }} {{ site.ship | upcase }}",
        "<!-- {{ site.ship }} {{ '/b/' | relative_url }} -->",
        "* {% data reusables.sea.rule %}",
    ],
)
def test_what_may_be_something_else_is_no_name_of_a_site(text: str) -> None:
    assert find_warnings(f"# Winches\n\nText.\n\n{text}\n") == []


def test_of_many_names_a_few_are_told_and_long_ones_in_part() -> None:
    (warning,) = find_warnings("\n".join(f"{{{{ site.a{number} }}}}" for number in range(7)))
    assert "{{ site.a4 }}, 2 more. Directories" in warning
    (warning,) = find_warnings(f"{{{{ site.{'a' * 5000} }}}}")
    assert len(warning) < 300


def test_a_page_of_a_site_whose_files_say_all_has_no_warning() -> None:
    written = resolve("# A\n\n{{ site.ship }} {{ site.sea }}\n", {"_config.yml": "ship: Ada"})
    (warning,) = parse(RawDocument("a.md", written.encode())).warnings
    assert "written: {{ site.sea }}. " in warning
    written = resolve("# A\n\n{{ site.ship }}\n", {"_config.yml": "ship: Ada"})
    assert not parse(RawDocument("a.md", written.encode())).warnings


@pytest.mark.parametrize(
    "content",
    ["a: [", "- a", "a: &x {b: 1}\nc: *x", "a: " + "b" * MAX_CONFIGURATION_CHARACTERS, "\x00", "a: " + "[" * 200, ""],
)
def test_a_file_that_cannot_be_read_says_nothing(content: str) -> None:
    assert resolve("{{ site.a }}", {"_config.yml": content}) == "{{ site.a }}"
    assert resolve("{{ a }}", {"docs.json": content, "mkdocs.yml": content, "conf.py": content}) == "{{ a }}"
    assert resolve("{{< param a >}}", {"hugo.toml": content}) == "{{< param a >}}"


CONF = '''
version = "2.1"
release = version
project = make_name()
rst_prolog = """
.. |ship| replace:: The **Ada**
.. |logo| image:: a.png
   :alt: A ship
"""
rst_epilog = """.. |fleet| replace:: |ship| and others"""
'''


def read_rst(text: str, conf: str = CONF) -> str:
    written = resolve(text, {"docs/conf.py": conf}, "docs/guide/page.rst")
    return parse(RawDocument("page.rst", written.encode())).content


def test_substitutions_of_sphinx_stand_for_what_its_configuration_says() -> None:
    text = read_rst("Ropes\n=====\n\nOf |ship| in |release| and |Version|: |fleet|.\n")
    assert text == "# Ropes\n\nOf The **Ada** in 2.1 and 2.1: The **Ada** and others.\n"


def test_what_sphinx_includes_for_all_pages_defines_names_and_addresses() -> None:
    text = "Ropes\n=====\n\nOf |Ship|, see `The Yard`_, Knots_ and `Own`_.\n\n.. _Own: https://own\n"
    files = {
        "docs/conf.py": 'rst_epilog = """\n.. include:: /reuse/links.txt\n\n.. |ship| replace:: Ada\n"""\n',
        "docs/reuse/links.txt": ".. _`The Yard`: https://yard\n.. _knots: https://knots\n.. _own: https://other\n.. _Not: https://not\n",
    }
    written = resolve(text, files, "docs/guide/page.rst")
    content = parse(RawDocument("page.rst", written.encode())).content
    assert "Of Ada, see [The Yard](https://yard), [Knots](https://knots) and [Own](https://own)." in content
    assert "https://not" not in written
    assert resolve("Ropes\n=====\n\nOf snake_case and `b`_.\n", files, "docs/page.rst").count("_") == 2


def test_a_page_of_rst_defines_its_own_first() -> None:
    text = read_rst("Ropes\n=====\n\nOf |ship|, |other|.\n\n.. |ship| replace:: Bea\n")
    assert "Of Bea, |other|." in text


@pytest.mark.parametrize(
    "conf", ["version = get()", 'version = f"2.{n}"', 'version = "a" + "b"', "# version = '1'", "("]
)
def test_what_a_configuration_works_out_is_not_known(conf: str) -> None:
    assert "|version|" in read_rst("Ropes\n=====\n\nOf |version|.\n", conf)


def find_language(code: str, conf: str, before: str = "") -> str:
    """The language that a page of this site gives to code without one."""
    indented = code.replace("\n", "\n   ")
    return read_rst(f"Ropes\n=====\n\n{before}So::\n\n   {indented}\n", conf).split("```")[1].split("\n")[0]


@pytest.mark.parametrize(
    ("code", "language"),
    [
        ("import sea", "python"),
        ("sail(to='north')", "python"),
        ("with open('log') as log:\n    log.write('\\d')", "python"),
        (">>> sail()\n1", "pycon"),
        ("ropes/thin", ""),
        ("rope = 'thin'", ""),
        ("pip install sea", ""),
        ("$ sail --to north", ""),
        ('{"rope": "thin"}', ""),
        ("sea:\n  - rope: thin", ""),
        (f"sail({', '.join(map(str, range(10_000)))})", ""),
    ],
)  # fmt: skip
@pytest.mark.parametrize("conf", [CONF, "highlight_language = 'default'", 'highlight_language = "python3"'])
def test_code_of_sphinx_without_a_language_is_python_where_it_shows_that(code: str, language: str, conf: str) -> None:
    assert find_language(code, conf) == language


def test_code_of_sphinx_has_the_language_of_its_configuration() -> None:
    assert find_language("sail(1);", "highlight_language = 'c'") == "c"
    assert find_language("sail(1)", "highlight_language = 'none'") == ""
    assert find_language("sail(1)", "if is_new():\n    highlight_language = find()") == ""


def test_a_page_of_sphinx_says_it_first() -> None:
    assert find_language("sail(1)", "highlight_language = 'c'", ".. highlight:: rust\n\n") == "rust"
    assert find_language("sail(1)", "highlight_language = 'c'", ".. highlight:: default\n\n") == "python"
    assert find_language("sail(1)", CONF, ".. highlight:: none\n\n") == ""


@pytest.mark.parametrize("code", ["f(", "lambda: ", "[[[a]]]=", "not ", "-", "a<b>"])
def test_code_that_is_no_python_is_told_in_time(code: str) -> None:
    assert_linear(partial(find_python, told=SPHINX_DEFAULT), code * (MAX_CODE_CHARACTERS // len(code)))


def test_cells_of_tables_are_no_substitutions() -> None:
    table = "+---+---+\n| a | b |\n+---+---+\n"
    assert resolve(table, {"conf.py": CONF}, "docs/page.rst") == table


@pytest.mark.parametrize("name", ["_config.yml", "docs/mkdocs.yml", "hugo.yaml", "mint.json", "data/variables/a.yml"])
def test_nobody_is_told_that_files_were_left_out_which_variables_are_read_from(name: str) -> None:
    assert find_advice(name) == ""
    assert find_advice("petstore.yml").startswith("JSON and YAML: ")


SNOOTY = '[constants]\ndriver = "Winch Driver"\nversion = "2.1"\ndocs = "https://example.org/{+version+}/"\nself = "a {+self+}"\n'


def test_constants_of_snooty_stand_for_what_they_say_in_titles_code_and_addresses() -> None:
    text = "{+driver+}\n==========\n\nSee `Turns <{+docs+}turns>`__.\n\n.. code-block:: sh\n\n   get {+driver+}-{+version+}\n"
    written = resolve(text, {"snooty.toml": SNOOTY}, "source/page.txt")
    document = parse(RawDocument("page.txt", written.encode()))
    assert document.title == "Winch Driver"
    assert "[Turns](https://example.org/2.1/turns)" in document.content
    assert "get Winch Driver-2.1" in document.content


@pytest.mark.parametrize("snooty", [SNOOTY, 'name = "winch"', 'constants = "a"', "["])
def test_a_constant_that_nothing_defines_stays(snooty: str) -> None:
    text = "Rope\n====\n\n.. note::\n\n   Of {+rope+} and {+ driver +}.\n"
    assert resolve(text, {"snooty.toml": snooty}, "source/page.rst") == text


def test_constants_that_name_themselves_or_many_others_end() -> None:
    many = "".join(f'c{n} = "{f"{{+c{n + 1}+}}" * 90}"\n' for n in range(20))
    written = resolve("Rope\n====\n\n{+self+} {+c0+}\n", {"snooty.toml": f"{SNOOTY}{many}"}, "source/page.rst")
    assert "a a a {+self+}" in written.replace("a a a a", "a a a")
    assert len(written) < 10_000


BOATS = (
    "- name: Gig\n  oars: 6\n  parts: [hull, {a: b}]\n- name: 'A | B'\n  oars:\n- {name: '{{ x }}', parts: [keel]}\n"
)


@pytest.mark.parametrize(
    ("loop", "written"),
    [
        (
            "<p>\n  {% for b in site.data.sea.boats %}\n  <i>{{ b.name }}</i>\n  {% endfor %}\n</p>",
            "<p>\n  <i>Gig</i>\n  <i>A | B</i>\n  <i>&#123;&#123; x }}</i>\n</p>",
        ),
        (
            (
                "{% for b in site.data.sea.boats limit:2 %}"
                "`{{ b.name | downcase }}`{% if b.oars %} {{b.oars}}{% else %} -{% endif %} {% endfor %}"
            ),
            "`gig` 6 `a | b` - ",
        ),
        (
            "{% for b in page.list reversed %}{% unless b == 'x' %}{{ b | append: '!' }}{% endunless %}{% endfor %}",
            "z!",
        ),
        (
            "{% for b in site.data.sea.boats offset:2 -%}\n {% for p in b.parts %}{{ p }}{% endfor %}{{ site.a }}{% endfor %}",
            "keelA",
        ),
        (
            "{% for b in page.list %}{{ b }}{% include badge.html version=b %}{% endfor %}",
            'x{% include badge.html version="x" %}z{% include badge.html version="z" %}',
        ),
        (
            "{% for b in site.data.rows %}{{ b.a }}{% endfor %}{% if a %}{% for b in page.list %}{{ b }}{% endfor %}{% endif %}",
            "12{% if a %}xz{% endif %}",
        ),
        ("`{{ x }}`{% for b in page.map %}{{ b[0] }}={{ b[1] }}{% endfor %}", "`{{ x }}`k=v"),
        (
            "{% for b in page.list %}{% if b == 'x' and b != 'y' %}{{ b }}{% elsif b == 'q' or b == 'z' %}!{% endif %}{% endfor %}",
            "x!",
        ),
        (
            "{% for b in page.list %}{% assign c = b | upcase %}{% assign n = 2 %}{{ c }} {{ n }};{% endfor %}",
            "X 2;Z 2;",
        ),
    ],
)
def test_a_loop_over_data_is_what_it_writes(loop: str, written: str) -> None:
    files = {"_data/sea/boats.yml": BOATS, "_data/rows.csv": "a,b\n1,x\n2,y\n", "_config.yml": "a: A"}
    head = "---\nlist: [x, z]\nmap: {k: v}\n---\n"
    assert resolve(f"{head}{loop}", files) == f"{head}{written}"


@pytest.mark.parametrize(
    "loop",
    [
        "{% for b in site.data.none %}{{ b }}{% endfor %}",
        "{% for b in site.data.boats %}{{ b.parts }}{% endfor %}",
        "{% for b in site.data.boats %}{{ b.name | truncate: 3 }}{% endfor %}",
        "{% for b in site.data.boats %}{% assign c = site.none %}{% endfor %}",
        "{% for b in site.data.boats %}{% if b.oars > 3 %}x{% endif %}{% endfor %}",
        "{% for b in site.data.boats %}{{ b.name }}",
        "{% for b in site.data.boats %}{% if b.oars %}{% endfor %}{% endif %}",
        "{% raw %}{% for b in site.data.boats %}{{ b.name }}{% endfor %}{% endraw %}",
        "```\n{% for b in site.data.boats %}{{ b.name }}{% endfor %}\n```",
        "{% for b in site.data.boats %}{% for c in site.data.many %}{{ c }}{% endfor %}{% endfor %}",
    ],
)
def test_a_loop_that_does_more_stays_as_it_is_written(loop: str) -> None:
    files = {"_config.yml": "a: A", "_data/boats.yml": BOATS, "_data/many.json": f"[{'1,' * 60_000}1]"}
    assert resolve("{% for b in site.data.boats limit:1 %}{{ b.name }}{% endfor %}", files) == "Gig"
    assert resolve(loop, files) == loop


@pytest.mark.parametrize(
    "tag", ["{% for a in page.b %}", "{% for a in page.b %}{% endfor %}", " " * 300 + "{% a %}", "{% if a "]
)
def test_loops_are_read_in_linear_time(tag: str) -> None:
    text = "{% for a in page.b %}{% endfor %}"
    assert_linear(
        lambda more: write_loops(text + more, Places(text + more, has_markup=True), lambda _: []), tag * 2_000
    )


@pytest.mark.parametrize("tag", ['{% assign a = "', "{% assign a = b %}{{ a }}\n", "{% assign \t"])
def test_looking_for_what_a_page_assigns_is_linear(tag: str) -> None:
    assert_linear(lambda text: read_assigned(text, Places(text, has_markup=True)), tag * 5_000)


@pytest.mark.parametrize("sign", ["a.", "`a", "a_", ".. _a", ".. include:: "])
def test_looking_for_what_sphinx_defines_is_linear(sign: str) -> None:
    definitions = {"`b": ".. _b: https://b"}
    assert_linear(lambda text: add_substitutions(text, lambda: definitions), sign * 20_000)
    assert_linear(lambda text: read_definitions({"rst_epilog": text}, lambda path: ""), sign * 20_000)


def test_added_definitions_have_the_same_order_in_every_process() -> None:
    names = [f"boat{number}" for number in range(10, 20)]
    configuration = {"rst_epilog": "\n".join(f".. |{name}| replace:: {name}" for name in reversed(names))}

    definitions = read_definitions(configuration, lambda path: None)
    written = add_substitutions(" ".join(f"|{name}|" for name in names), lambda: definitions)

    added = [line for line in written.split("\n") if line.startswith("..")]
    assert len(added) == len(names)
    assert added == sorted(added)


@pytest.mark.parametrize(
    "text", ["```{note}\n{{ ship }}\n", "```{note}\n```\n", "````{tabs}\n```{tab}\n", "```{code}\n", "- ~~~{tip}\n"]
)
def test_names_in_boxes_of_myst_take_linear_time(text: str) -> None:
    assert_linear(blank_boxes, text * 5_000)
