"""Tags of site generators: what readers see stays, text between code tags becomes code, everything else stays as written."""

from __future__ import annotations

import pytest

from collections_app.parsing import RawDocument, parse
from collections_app.parsing.dialects.template_tags.writer import drop_template_tags
from collections_app.parsing.dialects.template_tags.yaml_blocks import write_yaml_blocks
from tests.growth import assert_linear

RED = "columns:\n  - title: Red\n    key: red\n"
COLUMNS = RED.replace("columns:\n", "columns:\n  - title: Sail\n    key: sail\n")


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("{{< note >}}Reef first.{{< /note >}}", "**Note:** Reef first."),
        ("- a\n  {{< docs/ignore >}}\n  b\n  {{< /docs/ignore >}}", "- a\n  \n  b\n  "),
        ('{{< tab-content name="wget" >}}a{{< /tab-content >}}', "**wget** a"),
        ('{{< qa question="Why reef?" >}}a{{< /qa >}}', "**Why reef?** a"),
        ("{%- from 'sails.macro.html' import sail, rope with context %}\n\na", "\n\na"),
        ("{% assign boats = site.boats | sort: 'name' %}\na", "\na"),
        ("a {% assign b = 1 %}", "a {% assign b = 1 %}"),
        ('{% extends "boat.html" %}\n{% import "sails.html" as sails %}\na', "\n\na"),
        ('{{< youtube id="1uk8-tQ_sZQ" >}}', "[Video on YouTube](https://www.youtube.com/watch?v=1uk8-tQ_sZQ)"),
        ('{{< vimeo 55073825 title="Reefs" >}}', "[Reefs](https://vimeo.com/55073825)"),
        ('{{< docs/paths title="Sails" url="/sails/" >}}', "[**Sails**](/sails/) "),
        ("a\n\n{{< section >}}\n", "a\n\n\n"),
        ("{{% note %}}\n  **Note:** Reef.\n{{% /note %}}", "\n  **Note:** Reef.\n"),
        ('{{< ref "pod" >}} pod', "pod pod"),
        ('{{< glossary_tooltip text="pod" >}} pods', "pod pods"),
        ("{{% warning %}}\nWind.\n{{% /warning %}}", "**Warning:** \nWind.\n"),
        ('{{< admonition type="tip" >}}a{{< /admonition >}}', "**Tip:** a"),
        ('{{% alert title="Mind" color="warning" %}}a{{% /alert %}}', "**Mind** a"),
        ("{{% notice note %}}a{{% /notice %}}", "**Note:** a"),
        ('{% hint style="info" %}\na\n{% endhint %}', "**Info:** \na\n"),
        ('{{< call-out class="note" >}}a{{</ call-out >}}', "**Note:** a"),
        ('{{<call-out "important">}}a{{</call-out>}}', "**Important:** a"),
        ('{{< callout class="box caution" >}}a{{< /callout >}}', "**Caution:** a"),
        ('{% callout type="warning" %}a{% /callout %}', "**Warning:** a"),
        ('{% tabs %}\n{% tab title="One" %}\na\n{% endtab %}\n{% endtabs %}', "\n**One** \na\n\n"),
        ("{% tabs a %}\n{% tab a Mac OS (M1) %}\nx\n{% endtab %}\n{% endtabs %}", "\n**Mac OS (M1)** \nx\n\n"),
        ("{% tabs %}\n{% tab Mac OS %}\nx\n{% endtab %}\n{% endtabs %}", "\n**Mac OS** \nx\n\n"),
        ("{% mermaid %}\n---\na: b\n---\nA --> B\n{% endmermaid %}", "```mermaid\n---\na: b\n---\nA --> B\n```"),
        ('{{< mermaid class="x" >}}\nA --> B\n{{< /mermaid >}}', "```mermaid\nA --> B\n```"),
        ('{% navtabs "a" %}\n{% navtab "One" %}\na\n{% endnavtab %}\n{% endnavtabs %}', "\n**One** \na\n\n"),
        ("- {% new_in 2.1 %} It reefs.", "- New in 2.1  It reefs."),
        ("{% if_version gte:2.6.x %}\na\n{% endif_version %}", "**version 2.6.x and later** \na\n"),
        (
            "It {% if_version gt:2 lte:2.9.x inline:true %}reefs{% endif_version %}.",
            "It **later than version 2 and version 2.9.x and earlier** reefs.",
        ),
        ("{% if_version eq:2 %}\n\n## Reefs\n\na\n\n{% endif_version %}", "\n\n## Reefs\n**version 2**  \na\n\n"),
        (
            f"{{% table %}}\n{COLUMNS}rows:\n  - sail: |\n      * Jib\n      * a|b\n    red: true\n{{% endtable %}}\nText",
            "| Sail | Red |\n| --- | --- |\n| * Jib<br>* a\\|b | yes |" + "\n" * 10 + "Text",
        ),
        (
            f"{{% a_table %}}\nitem_title: Sail\n{RED}features:\n  - title: Jib\n    red: false\n{{% enda_table %}}",
            "| Sail | Red |\n| --- | --- |\n| Jib | no |" + "\n" * 6,
        ),
        (
            "- a\n  {% validation by-call %}\n  # how\n  url: /boats\n  headers:\n  - A\n  {% endvalidation %}\n",
            "- a\n  ```yaml\n  # how\n  url: /boats\n  headers:\n  - A\n  ```\n",
        ),
        (
            "{% policy_yaml a=b %}\n```yaml\na: b\n```\n\n```sh\nls\n```\n{% endpolicy_yaml %}",
            "\n```yaml\na: b\n```\n\n```sh\nls\n```\n",
        ),
        ('{{< tabs name="id" >}}{{% tab name="Two" %}}a{{% /tab %}}{{< /tabs >}}', "**Two** a"),
        ('{{< details "More" >}}a{{< /details >}}', "**More** a"),
        ('{{< collapse title="pod.yaml" >}}a{{< /collapse >}}', "**pod.yaml** a"),
        ('{{< card link="/x" title="Go" />}}', "[**Go**](/x) "),
        (
            '{% embed url="https://media.example.org/v.mp4?a=1" %}\nHow.\n{% endembed %}',
            "[media.example.org](https://media.example.org/v.mp4?a=1)\nHow.\n",
        ),
        (
            '{% file src="../files/a%20b (1).pdf" %}\nRules.\n{% endfile %}',
            "[a b (1).pdf](<../files/a%20b (1).pdf>)\nRules.\n",
        ),
        (
            '{% openapi src="https://x/y.yaml" path="/boats/{id}" method="get" %}\n[y](z)\n{% endopenapi %}',
            "`GET /boats/{id}`\n[y](z)\n",
        ),
        (
            '{% prompt description="Moor it" icon="x" %}\n```\nGo.\n```\n{% endprompt %}',
            "**Moor it** \n```\nGo.\n```\n",
        ),
        (
            '{% updates format="full" %}\n{% update date="2025-12-18" tags="x" %}\n## New\n\nText.\n{% endupdate %}\n{% endupdates %}',
            "\n\n## New\n**2025-12-18**  \nText.\n\n",
        ),
        ('{% update date="2025-12-18" %}\nText.\n{% endupdate %}', "**2025-12-18**  \nText.\n"),
        ('{% content-ref url="a.md" %}\n[a](a.md)\n{% endcontent-ref %}', "\n[a](a.md)\n"),
        ('{{< figure\n  src="a.png"\n  alt="A sail" >}}', "![A sail](a.png)\n\n"),
        ('{{< img src="a.png" alt="A sail" filter="grey" >}}', "![A sail](a.png)"),
        ("a\n{{< img\n  src=a.png\n>}}\nb", "a\n\n\n\nb"),
        (": {{< new-in 1.2.0 />}}", ": New in 1.2.0 "),
        ('{{<deprecated-in "v2" >}}Reef instead.{{< /deprecated-in >}}', "Deprecated in v2 Reef instead."),
        ("{{% removed-in version=3 %}}", "Removed in 3 "),
        ('## {{% heading "objectives" %}}', "## objectives"),
        ('a {{< glossary_tooltip text="Rope" term_id="rope" >}}.', "a Rope."),
        ('a {{< glossary_tooltip term_id="rope" >}}.', "a rope."),
        ('[{{< img src="a/main-sail_set.svg" width="9" >}}](a/b.svg)', "[main sail set](a/b.svg)"),
        ('a {{< img src="a/main-sail_set.svg" >}}.', "a ."),
        ('[a]({{< ref"/b/c.md#d" >}})', "[a](/b/c.md#d)"),
        ('[a]({{< relref "/b/c.md#d" >}})', "[a](/b/c.md#d)"),
        ("{% raw %}{% note %}{{ a }}{% endraw %}", "{% note %}{{ a }}"),
        ("{% highlight sh %}\n# reef\n{% endhighlight %}", "```sh\n# reef\n```"),
        ("- a\n\n  {{< highlight sh >}}\n  # reef\n  {{< /highlight >}}", "- a\n\n  ```sh\n  # reef\n  ```"),
        ('{{< code title="a.sh" >}}\nls ```\n{{< /code >}}', '```` title="a.sh"\nls ```\n````'),
        ("{{< code-toggle file=rig copy=true >}}\na = 1\n{{< /code-toggle >}}", '``` title="rig"\na = 1\n```'),
        ('{{< code file="a/b.html" lang=html >}}\n<a>\n{{< /code >}}', '```html title="a/b.html"\n<a>\n```'),
        ("{{< code filename=a.sh >}}\n```sh\nls\n```\n{{< /code >}}", "**a.sh** \n```sh\nls\n```\n"),
        ('{{< tab header="Sh" lang="sh" >}}\n# reef\n{{< /tab >}}', '```sh title="Sh"\n# reef\n```'),
        ('{% code title="a.sh" %}\n```sh\n# reef\n```\n{% endcode %}', "**a.sh** \n```sh\n# reef\n```\n"),
        (
            '{{< sail-example set="a" description="Reef it" >}}\n# first\nreef --now\n{{< /sail-example >}}',
            '``` title="Reef it"\n# first\nreef --now\n```',
        ),
        ('{{< sail-example set="a" description="Reef it" >}}\n{{< /sail-example >}}', "Reef it\n"),
        ('{{< sail-example set="a" description="Reef it" />}}', "Reef it"),
        ('{{< sail-example set="a" />}}', '{{< sail-example set="a" />}}'),
        ("{{% sail-cli %}}\nREEF main 2\n{{% /sail-cli %}}", "```\nREEF main 2\n```"),
        ("{{< sail-example >}}\nTake the rope in hand.\n{{< /sail-example >}}", "\nTake the rope in hand.\n"),
        ('[a b]({% page "/b/#c" %}) [c]({%link d/e.md %})', "[a b](/b/#c) [c](d/e.md)"),
        ('[a]: {% page "/b" %}', "[a]: /b"),
        ("[a]({% download 'b/c.pdf' %}) [d]({% asset \"e.png\" %}#f)", "[a](b/c.pdf) [d](e.png#f)"),
        ('Ask in {% slack_channel "sails" %}.', "Ask in #sails."),
        ("{{< sail-box >}}a{{< /sail-box >}} {{% b %}}c{{% /b %}}", "a c"),
        ("{% sail-box %}\n\na\n\n{% endsail-box %}", "\n\na\n\n"),
    ],
)
def test_what_readers_see_stays(source: str, expected: str) -> None:
    assert drop_template_tags(source) == expected


@pytest.mark.parametrize(
    "source",
    [
        "`{{< note >}}`",
        "```\n{{< note >}}\n{% tab %}\n```",
        "{{</* note */>}}",
        '{{< param "version" >}} {{< sail id="x" >}} {{< youtube "a b" >}}',
        "{% if a %}b{% endif %} {{ page.title }}",
        "Take {% download 'b/c.pdf' %} [a]({% url 'sails' %}) [b]({% asset 'c.png' 2 %}) [c]({% include 'd.html' %})",
        "a {% highlight sh %}ls{% endhighlight %} b",
        'See {{< endpoint "users" >}} and {{< enddate "2024" >}}.',
        "{{< Comment >}}a{{< /Comment >}}",
        '{{% show-in "v2" %}}a{{% /show-in %}} {{% show-in %}}b{{% /show-in %}}',
        "{{< draft >}}a{{< /draft >}} {{< rope >}} {% sail %}a{% endsail %}",
        "The tag {% sail %} is alone here:\n\n{% sail %}\n{% endsail %}",
        "{% sail 'a' %}\nb\n{% endsail %}\n{% endrope %}",
        "{% if %}\na\n{% endif %}",
        '{% embed "card.twig" %}\na\n{% endembed %}',
        '{% embed url="https://[x" %}',
        '{% file src="a<b.pdf" %}',
        "{{< embed url='https://example.org/' >}}",
        "{% comment %} never closed {{< note",
        "Write {% extends 'boat.html' %} at the top.",
        "{% import sails %}\n\n{% from here to there %}\n\n{% set wind = 'east' %}",
        "{% highlight sh %}\n# never closed",
        '{{< note title="never closed',
        '{% page "/a/" %} {% link a.md %}',
        '{{< sail-example set="a" >}}\nTake the [rope](a.md).\n{{< /sail-example >}}',
        '{{< sail-example set="a" >}}\n# first\n\n## Second\n\nreef\n{{< /sail-example >}}',
        '{{< sail-example set="a" >}}\nFirst you take the rope in hand\n{{< /sail-example >}}',
        '{{< sail-example set="a" >}}\n# First\n{{< /sail-example >}}',
        '{{< sail-example set="a" >}}\n{{< /sail-example >}}',
        '{{< sail-example set="a" />}}\n# First\nreef\n',
        "{{% highlight file=a.go /%}}\n\n# Reef\n\n{{% /highlight %}}",
    ],
)
def test_code_and_what_only_its_site_knows_stay_as_they_are(source: str) -> None:
    assert drop_template_tags(source) == source


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        ("A\n{% comment %}\n# Do\n{% note %}\n{% endcomment %}\nB", "A\n\n\n\n\nB"),
        ("A {%- comment -%} do {%- endcomment -%} B", "A  B"),
        ("A {{% comment %}} do {{% /comment %}} B {{< comment >}}x{{< /comment >}}", "A  B "),
    ],
)
def test_comments_go_with_what_they_hold(source: str, expected: str) -> None:
    assert drop_template_tags(source) == expected


def test_a_comment_in_code_between_tags_is_no_heading() -> None:
    page = "# Sails\n\n{% highlight sh %}\n# reef\n{% endhighlight %}\n\n## {{% heading `next` %}}\n"
    document = parse(RawDocument("a.md", page.encode()))
    assert [(section.section_id, section.start_line) for section in document.sections] == [
        ("sails", 1),
        ("sails/next", 7),
    ]


@pytest.mark.parametrize(
    "tag", ["{{< code-toggle config=rig />}}", "{{< code-toggle config=rig/>}}", "{{% code-toggle rig /%}}"]
)
def test_a_tag_that_ends_itself_takes_nothing_of_what_follows(tag: str) -> None:
    page = f"# Rig\n\n{tag}\n\n## Reef\n\n{{{{< code-toggle >}}}}\nsails = 2\n{{{{< /code-toggle >}}}}\n\n## Furl\n"
    document = parse(RawDocument("a.md", page.encode()))
    assert [section.section_id for section in document.sections] == ["rig", "rig/reef", "rig/furl"]
    assert document.sections[1].text == "## Reef\n\n```\nsails = 2\n```\n\n"
    assert tag in document.sections[0].text


def test_labels_that_the_tag_around_tabs_has_stand_at_each_of_them() -> None:
    text = '{{< tabs "Linux" macOS >}}\n{{% codetab %}}\na\n{{% /codetab %}}\n{{% codetab %}}\nb\n{{% /codetab %}}\n{{< /tabs >}}\n'
    assert drop_template_tags(text) == "\n**Linux** \na\n\n**macOS** \nb\n\n\n"


def test_such_a_label_stands_below_the_heading_that_its_tab_begins_with() -> None:
    tab = "{{% codetab %}}\n\n### Moor\n\na\n{{% /codetab %}}\n"
    text = "{{< tabs Linux >}}\n" + tab + "{{< /tabs >}}\n"
    assert drop_template_tags(text) == "\n\n\n### Moor\n**Linux**  \na\n\n\n"
    own = (
        text.replace("{{< tabs Linux >}}", "")
        .replace("{{% codetab %}}", '{{% tab header="Linux" %}}')
        .replace("codetab", "tab")
    )
    assert drop_template_tags(own) == "\n\n\n### Moor\n**Linux**  \na\n\n\n"
    tagged = text.replace("Moor", '{{% heading "moor" %}}')
    assert drop_template_tags(tagged) == "\n\n\n### moor\n**Linux**  \na\n\n\n"
    code = '{% tab title="Linux" %}\n\n    # moor\n\n    make fast\n\n{% endtab %}\n'
    assert drop_template_tags(code) == "**Linux** \n\n    # moor\n\n    make fast\n\n\n"
    directly = text.replace("Moor\n\n", "Moor\n")
    assert drop_template_tags(directly) == "\n**Linux** \n\n### Moor\na\n\n\n"


def test_labels_by_number_stand_where_lines_divide_the_tabs() -> None:
    opening = '{{< multitabs id="x"\n  tab1="Linux"\n  tab2="Mac OS" >}}'
    text = f"{opening}\na\n-tab-sep-\n\n### Moor\n\nb\n\n  --tab-sep--\nc\n{{{{< /multitabs >}}}}\n"
    assert drop_template_tags(text) == "**Linux** \n\n\na\n\n\n### Moor\n**Mac OS**  \nb\n\n\nc\n\n"
    assert drop_template_tags("a\n\n-tab-sep-\n") == "a\n\n-tab-sep-\n"
    open_tag = text.replace("{{< /multitabs >}}\n", "")
    assert drop_template_tags(open_tag) == open_tag.replace(opening, "**Linux** \n\n")


def test_lines_that_divide_tabs_are_looked_for_once() -> None:
    tag = '{{< multitabs tab1="a" tab2="b" >}}\n-tab-sep-\n'
    written = drop_template_tags(tag * 20_000 + "{{< /multitabs >}}")
    assert written == "**a** \n**b** \n" + "**a** \n\n" * 19_999


@pytest.mark.parametrize("name", ["command-group", "table-children"])
def test_of_a_list_that_a_site_makes_of_its_data_the_title_stays(name: str) -> None:
    assert drop_template_tags(f'{{{{< {name} group="json" title="JSON" show_link=true >}}}}\n') == "**JSON** \n"
    assert drop_template_tags(f'a\n\n{{{{< {name} group="json" >}}}}\n') == "a\n\n\n"
    in_line = f'Write {{{{< {name} group="json" >}}}}.\n'
    assert drop_template_tags(in_line) == in_line


def test_tags_in_the_heading_below_which_a_label_stands_are_written_in_their_places() -> None:
    text = '{{< tabs "Linux" >}}\n{{% codetab %}}\n## Run {{% ref "a" %}} it\n\none\n{{% /codetab %}}\n{{< /tabs >}}\n'
    assert drop_template_tags(text) == "\n\n## Run a it\n**Linux**  \none\n\n\n"


def test_labels_of_tabs_within_tabs_are_told_apart() -> None:
    inner = '{{< tabs x "y z" >}}{{% codetab %}}1{{% /codetab %}}{{% codetab %}}2{{% /codetab %}}{{< /tabs >}}'
    text = "{{< tabs A B >}}{{% codetab %}}" + inner + "{{% /codetab %}}{{% codetab %}}3{{% /codetab %}}{{< /tabs >}}"
    assert drop_template_tags(text) == "**A** **x** 1**y z** 2**B** 3"


@pytest.mark.parametrize(
    "text",
    [
        '{{< tabs "id" >}}{{% codetab %}}1{{% /codetab %}}{{% codetab %}}2{{% /codetab %}}{{< /tabs >}}',
        '{{< tabs "one" "two" >}}{{% codetab %}}12{{% /codetab %}}{{< /tabs >}}',
        '{{< tabs "a" name="b" >}}{{% codetab %}}12{{% /codetab %}}{{< /tabs >}}',
        '{{< tabs "a" >}}{{% codetab %}}12{{% /codetab %}}',
    ],
)
def test_words_of_such_a_tag_that_are_not_one_for_each_tab_are_no_labels(text: str) -> None:
    assert drop_template_tags(text) == "12"


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ('{% include note.html content="Mind the *boom*." %}', "**Note:** Mind the *boom*."),
        ('{% include callout.html content="Duck." type="danger" %}', "**Danger:** Duck."),
        ('{% include callout.html content="Duck." type="primary" %}', "Duck."),
        ('{% include image.html file="a/sail.png" alt="A sail" %}', "![A sail](a/sail.png)"),
        ('{%- include figure.html url="/sail.png" caption="A sail" -%}', "![A sail](/sail.png)"),
        ('## Sails {%- include badge.html version="2.1" -%}', "## Sails 2.1"),
        ('Since {% include docs_version_badge.html version="2.1"%}, sail.', "Since 2.1, sail."),
        ("## Sails {%- include badge.html version=entry.version -%}", "## Sails "),
        (
            "{% include youtube-player.html id='1uk8-tQ_s' %}",
            "[Video on YouTube](https://www.youtube.com/watch?v=1uk8-tQ_s)",
        ),
        ("{% include vimeo.html id=page.video %}", "{% include vimeo.html id=page.video %}"),
        ("```\nrow\n```\n{% include copy.html %}\n\nSail.", "```\nrow\n```\n\n\nSail."),
        ("- Row\n  {%- include parts/copy.html -%} \n- Sail", "- Row\n   \n- Sail"),
        ("See {% include links.html %}", "See {% include links.html %}"),
        ("{% include links.html of=page.boats %}", "{% include links.html of=page.boats %}"),
        ("```liquid\n{% include links.html %}\n```", "```liquid\n{% include links.html %}\n```"),
        ("{% raw %}{% include links.html %}{% endraw %}", "{% include links.html %}"),
        ("{% include note.html content=page.note %}", "{% include note.html content=page.note %}"),
        ('{% include note.html content="a=b" type=kind %}', "**Note:** a=b"),
        ('{% include guide.md note="a.html" %}', '{% include guide.md note="a.html" %}'),
        ('`{% include note.html content="a" %}`', '`{% include note.html content="a" %}`'),
    ],
)
def test_what_an_include_of_jekyll_is_told_to_show_is_text(text: str, written: str) -> None:
    assert drop_template_tags(text) == written


def test_blocks_of_docsys_start_pages_go_and_their_titles_stay() -> None:
    text = '{{< blocks/cover title="Winch" color="dark" >}}\nTurns.\n{{< /blocks/cover >}}\n{{% pageinfo %}}\nNew.\n{{% /pageinfo %}}'
    assert drop_template_tags(text).split("\n") == ["**Winch** ", "Turns.", "", "", "New.", ""]
    assert drop_template_tags('{{< blocks/link-down color="info" >}}') == ""


@pytest.mark.parametrize("name", ["tweet", "x"])
def test_a_post_of_hugo_is_a_link(name: str) -> None:
    assert (
        drop_template_tags(f'{{{{< {name} user="ada" id="123" >}}}}')
        == "[Post of ada on X](https://x.com/ada/status/123)"
    )
    assert drop_template_tags(f"{{{{< {name} 123 >}}}}") == f"{{{{< {name} 123 >}}}}"


def test_a_place_may_follow_the_page_that_a_tag_of_jekyll_leads_to() -> None:
    assert drop_template_tags("[a]({% link b/c.md %}#d) or {% link e.md %}") == "[a](b/c.md#d) or {% link e.md %}"


def test_how_a_tab_of_docsy_is_read_is_no_title() -> None:
    text = '{{< tabpane text=true >}}\n{{% tab header="Jib" text=true %}}\nSmall.\n{{% /tab %}}\n{{< /tabpane >}}'
    assert drop_template_tags(text).split() == ["**Jib**", "Small."]


def test_a_tag_of_hugo_with_a_hyphen_is_no_element_of_html() -> None:
    text = '# A\n\nSee {{<sea-chart id="3">}} and {{<sea-chart id="4" />}}.\n\n<sea-chart>Bay</sea-chart>\n'
    document = parse(RawDocument("a.md", text.encode()))
    assert 'See {{<sea-chart id="3">}} and {{<sea-chart id="4" />}}.\n\nBay' in document.content


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("- {{% icon-feature %}} **Sails**", "- **Sails**"),
        ('1. Press {{< icon "plus">}}**Add**.', "1. Press **Add**."),
        ('[{{<icon "download">}} Get it](a.yaml)', "[Get it](a.yaml)"),
        ("Get the{{<icon download>}} [script](a.sh) here", "Get the [script](a.sh) here"),
        ("{{< icon plus >}} {{< icon boat >}} Boats", "Boats"),
        ("## Done {{< icon-check >}}", "## Done "),
        ('| Jib | {{< icon "check" >}} | {{% icon-bug %}} Leaks |', "| Jib | check | Leaks |"),
        ('Press the {{< icon name="fas fa-gear" >}} button or {{< icon "fa-x" >}}.', "Press the gear button or x."),
        ("`{{< icon x >}}`", "`{{< icon x >}}`"),
        ("{% icon x %}", "{% icon x %}"),
    ],
)
def test_an_icon_of_hugo_goes_or_is_its_name_where_it_says_something(text: str, written: str) -> None:
    assert drop_template_tags(text) == written


def test_an_icon_is_no_part_of_a_heading() -> None:
    document = parse(RawDocument("a.md", b"# A\n\n## {{% icon bug %}} Fixes\n\nText.\n"))
    assert [(section.heading, section.section_id) for section in document.sections[1:]] == [("Fixes", "a/fixes")]


def test_many_icons_on_a_line_take_time_in_proportion() -> None:
    assert_linear(drop_template_tags, "{{< icon x >}}" * 2_000)


@pytest.mark.parametrize(
    ("opening", "title"),
    [
        ('{{<boat-section showAsBoats="true" title="Boats">}}', "**Boats** "),
        ('{{% table variant="narrow" theme="bordered" %}}', ""),
        ('{{< table "features" >}}', ""),
    ],
)
def test_tags_of_a_theme_that_only_say_how_a_text_looks_go(opening: str, title: str) -> None:
    name = opening.strip("{<% ").partition(" ")[0]
    assert drop_template_tags(f"{opening}\n| Jib |\n{{{{</{name}>}}}}") == f"{title}\n| Jib |\n"


@pytest.mark.parametrize(
    "opening",
    ['{{< only "linux" >}}', '{{< only os="linux" >}}', 'On {{< only title="Linux" >}}', '{{< table "a" "b" >}}'],
)
def test_tags_whose_arguments_may_be_a_condition_stay(opening: str) -> None:
    name = "table" if "table" in opening else "only"
    text = f"{opening}\nHaul.\n{{{{< /{name} >}}}}"
    assert drop_template_tags(text) == text


def test_a_card_leads_to_the_address_of_its_title() -> None:
    text = '{{<card title="Jib" titleUrl="/jib/" icon="sail">}}\nSmall.\n{{</card>}}\n'
    assert drop_template_tags(text) == "[**Jib**](/jib/) \nSmall.\n\n"


@pytest.mark.parametrize(
    "text",
    [
        "{% sails a %}\nNote: reef first.\nThen go.\n{% endsails %}",
        "{% sails a %}\n- a: b\n{% endsails %}",
        "{% sails a %}\na: b\n{% endropes %}",
        "{% capture a %}\na: b\n{% endcapture %}",
        "{% if a %}\na: b\n{% endif %}",
        "```\n{% sails a %}\na: b\n{% endsails %}\n```",
    ],
)
def test_what_is_no_yaml_between_two_tags_is_no_code(text: str) -> None:
    assert write_yaml_blocks(text) == text


def test_broken_yaml_of_a_table_is_code() -> None:
    text = "{% table %}\ncolumns:\n  - title: a: b\nrows:\n  - a\n{% endtable %}"
    assert write_yaml_blocks(text) == text.replace("{% table %}", "```yaml").replace("{% endtable %}", "```")


@pytest.mark.parametrize(
    "text",
    [
        "{% a %}\n",
        "{% a %}\nb: c\n{% enda %}\n",
        "{% enda %}\n",
        "{% a %}\n```\n",
        "{% a %}\n```\nb\n```\n",
        "{% a %}\n  ",
    ],
)
def test_blocks_of_yaml_take_linear_time(text: str) -> None:
    assert_linear(write_yaml_blocks, f"{{% end{text * 2_000}")


def test_one_block_of_many_lines_takes_linear_time() -> None:
    assert_linear(lambda body: write_yaml_blocks(f"{{% a %}}\n{body}{{% enda %}}"), "b: c\n# d\n" * 3_000)
    assert_linear(lambda body: write_yaml_blocks(f"{{% a %}}\n{body}{{% enda %}}"), "```\nb\n```\n" * 3_000)
