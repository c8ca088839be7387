"""The public function: formats by extension, bytes to text, title, and what is refused."""

from __future__ import annotations

import pytest

from collections_app.exceptions import IngestError, ParseError, UnsupportedFormat
from collections_app.parsing import SUPPORTED_EXTENSIONS, ParsedDocument, RawDocument, parse
from collections_app.parsing.formats import Format
from collections_app.parsing.pipeline import NO_TEXT, PARSERS, get_parser
from collections_app.parsing.sections import MAX_SECTIONS
from collections_app.text.pages.moved import is_moved_page


def parse_bytes(content: bytes, path: str = "dir/name.md") -> ParsedDocument:
    return parse(RawDocument(path, content))


def get_error(content: bytes, path: str = "name.md") -> IngestError:
    with pytest.raises(IngestError) as caught:
        parse_bytes(content, path)
    return caught.value


@pytest.mark.parametrize("extension", [".md", ".markdown", ".mdown", ".mkd", ".qmd", ".rmd", ".mdx"])
def test_markdown_is_read_by_any_of_its_extensions_in_any_case(extension: str) -> None:
    for path in (f"a{extension}", f"A{extension.upper()}"):
        assert [section.heading for section in parse_bytes(b"# Title\n", path).sections] == ["Title"]


def test_every_format_has_a_parser() -> None:
    assert set(PARSERS) == set(Format)
    assert all(callable(get_parser(format)) for format in Format)


def test_another_extension_is_refused_with_those_that_are_supported() -> None:
    error = get_error(b"text", "a.py")
    assert isinstance(error, UnsupportedFormat)
    assert error.details == {"supported": list(SUPPORTED_EXTENSIONS)}
    assert "`.py`" in error.message
    assert all(name in error.message for name in ("Markdown (`.md`)", "HTML", "PDF", "Office"))


def test_plain_text_is_one_section_without_headings_or_front_matter() -> None:
    document = parse_bytes(b"---\na: b: c\n---\n# x\n", "notes.txt")
    (section,) = document.sections
    assert (document.format, document.title, section.section_id, section.level) == ("text", "notes", "notes", 0)
    assert section.text == document.content == "---\na: b: c\n---\n# x\n"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("---\ntitle: From front matter\n---\n# Heading\n", "From front matter"),
        ("---\ntitle:\n---\n# Heading\n", "Heading"),
        ("## Lower\n\n# The `first` level one {#x}\n\n# Second\n", "The first level one"),
        ("#\n\n# Says something\n", "Says something"),
        ("## Lower only\n\n### Below it\n", "Lower only"),
        ("## One of two\n\n## Lower only\n", "name"),
        ("```\n# code\n```\n", "name"),
        ("", "name"),
    ],
)
def test_the_title_is_that_of_the_front_matter_the_first_heading_or_the_file(text: str, title: str) -> None:
    assert parse_bytes(text.encode()).title == title


@pytest.mark.parametrize("path", ["name.txt", "name.md"])
@pytest.mark.parametrize("content", [b"", b" \n\t\r\n", b"\xef\xbb\xbf", b"\xef\xbb\xbf\n"])
def test_a_blank_file_has_no_content_and_no_sections(content: bytes, path: str) -> None:
    document = parse_bytes(content, path)
    assert (document.content, document.sections, document.title) == ("", (), "name")


def test_front_matter_alone_is_a_document_without_content() -> None:
    document = parse_bytes(b"---\ntitle: T\n---\n\n")
    assert (document.title, document.content, document.sections) == ("T", "", ())


def test_lines_are_those_of_the_file_with_front_matter_counted() -> None:
    (section,) = parse_bytes(b"---\r\na: 1\r\n---\r\n\r\n# Title\r\n\r\nText.").sections
    assert (section.start_line, section.end_line) == (4, 7)


@pytest.mark.parametrize("line_end", ["\n", "\r\n", "\r"])
def test_line_ends_become_line_feeds(line_end: str) -> None:
    document = parse_bytes(line_end.join(["---", "a: 1", "---", "# A", "text", "## B", ""]).encode())
    assert document.content == "# A\ntext\n## B\n"
    assert [section.section_id for section in document.sections] == ["a", "a/b"]


@pytest.mark.parametrize("path", ["name.md", "name.txt", "name.rst", "name.adoc"])
def test_a_western_text_of_before_utf_8_is_read_with_a_warning(path: str) -> None:
    written = "Le café de la gare est “très” cher : il coûte 5 €.\n"
    parsed = parse_bytes(written.encode("cp1252"), path)
    assert written.strip() in parsed.content
    assert "the file is not valid UTF-8; it was read as Windows-1252" in parsed.warnings


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
def test_it_reads_utf8_and_utf16_with_its_mark(encoding: str) -> None:
    document = parse_bytes("---\ntitle: Größe\n---\n# 日本\n".encode(encoding))
    assert (document.title, document.content) == ("Größe", "# 日本\n")


@pytest.mark.parametrize("separator", ["\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_no_other_character_ends_a_line(separator: str) -> None:
    (section,) = parse_bytes(f"# A{separator}# B\ntext{separator}# C\n".encode()).sections
    assert section.end_line == 2


@pytest.mark.parametrize(
    ("content", "byte", "line"),
    [
        ("Привет, мир!\n".encode("koi8-r"), 0, 1),
        (b"one\ntwo\n\x81", 8, 3),
        (b"\xef\xbb\xbfone\n\xff\n", 7, 2),
        ("日本 is cut off ".encode() + b"\xe6\x97", 18, 1),
        (b"half a \xff\xfe\xff\xfe\xff\xfe", 7, 1),
        (b"\xff\xfea\0\0\xd8", 4, 1),
    ],
)
def test_another_encoding_is_refused_with_its_place_and_what_to_do(content: bytes, byte: int, line: int) -> None:
    error = get_error(content)
    assert isinstance(error, ParseError)
    assert error.details == {"byte": byte, "line": line}
    assert f"byte {byte} (line {line})" in error.message
    assert "save it as UTF-8" in error.message


@pytest.mark.parametrize(
    "content",
    [
        b"PK\x03\x04\x14\0\0\0\x08\0\xff\xfe",
        bytes(range(256)) * 10,
        b"\0" * 1000,
        "UTF-16 without its mark".encode("utf-16-le"),
        b"\x01\x02\x03\x04 text",
    ],
)
@pytest.mark.parametrize("path", ["name.md", "name.txt"])
def test_a_binary_file_is_refused(content: bytes, path: str) -> None:
    error = get_error(content, path)
    assert isinstance(error, UnsupportedFormat)
    assert "binary" in error.message


def test_a_few_nul_bytes_in_text_are_replaced_with_a_warning() -> None:
    document = parse_bytes(b"# Title\0\n\nSome text with\0 NULs.\n")
    assert document.content == "# Title\ufffd\n\nSome text with\ufffd NULs.\n"
    assert document.sections[0].section_id == "title"
    assert document.warnings == ("2 NUL characters were replaced by U+FFFD",)


def test_a_line_of_five_megabytes_is_one_section() -> None:
    (section,) = parse_bytes(b"word " * 1_000_000).sections
    assert (section.character_count, section.token_count, section.end_line) == (5_000_000, 1_250_000, 1)


def test_a_heading_of_five_megabytes_gets_an_id_of_reasonable_length() -> None:
    (section,) = parse_bytes(b"# " + b"word " * 1_000_000).sections
    assert len(section.section_id) <= 500
    assert section.character_count == 5_000_002


def test_two_hundred_thousand_different_words_are_one_section() -> None:
    text = "# Words\n\n" + " ".join(f"word{number}" for number in range(200_000))
    (section,) = parse_bytes(text.encode()).sections
    assert section.text == text


def test_headings_in_every_line_are_as_many_sections() -> None:
    document = parse_bytes(b"# Same\n" * 20_000)
    assert len(document.sections) == len({section.section_id for section in document.sections}) == 20_000


def test_beyond_the_bound_the_deepest_headings_make_no_sections() -> None:
    text = "# A\n" + "## B\n" + "### C\n" * MAX_SECTIONS
    document = parse_bytes(text.encode())
    assert [section.section_id for section in document.sections] == ["a", "a/b"]
    assert document.sections[1].text == text.removeprefix("# A\n")
    (warning,) = document.warnings
    assert "below level 2" in warning


def test_beyond_the_bound_equal_headings_make_one_section() -> None:
    (section,) = parse_bytes(b"# Same\n" * (MAX_SECTIONS + 1)).sections
    assert (section.level, section.heading) == (0, "name")


def test_unfinished_jsx_and_directives_do_no_harm_in_markdown() -> None:
    text = "<Tabs items={[`\n# in a template\n\n`]}>\n\n:::{note\n```{code\n# code\n```\n</Tabs\n\n{/*\n\n# after */}\n"
    assert [section.heading for section in parse_bytes(text.encode()).sections] == ["in a template", "after */}"]


@pytest.mark.parametrize("content", [b"", b"---\ntitle: A\n---\n", b"---\ndescription: ' '\n---\n\n"])
def test_a_document_without_text_says_so(content: bytes) -> None:
    document = parse_bytes(content)
    assert (document.content, document.sections) == ("", ())
    assert document.warnings == ("it has no text: it is listed, and nothing of it is found",)


def test_a_document_without_text_says_its_description() -> None:
    document = parse_bytes(b"---\ntitle: Title\ndescription: '# What it is'\n---\n\n<!-- elsewhere -->\n")
    assert (document.content, document.description, document.warnings) == ("\\# What it is", "# What it is", ())
    assert [(section.section_id, section.level, section.start_line) for section in document.sections] == [
        ("title", 0, 1)
    ]


@pytest.mark.parametrize(
    ("path", "text", "target"),
    [
        ("a.md", "---\nredirect_to: /b\ndescription: Knots\n---\n", "/b"),
        ("a.md", "---\nRedirect_To:\n  - /b\n  - /c\n---\n\n# Knots\n", "/b"),
        ("a.md", "+++\nredirect_url = '/b (c)'\n+++\n", "/b%20%28c%29"),
        ("a.md", '<meta http-equiv="refresh" content="0; url=../b/">\n', "../b/"),
        ("a.mdx", '---\ntitle: A\n---\nimport {Redirect} from "router";\n\n<Redirect to="/b" />\n', "/b"),
        ("a.mdx", "import R from \"x\";\n\n<Redirect\n  push\n  to={'/b'}\n/>\n", "/b"),
        (
            "a.html",
            '<meta http-equiv="refresh" content="0; url=b.html"><h1>Wait</h1><a href="b.html">Click here</a>',
            "b.html",
        ),
        (
            "a.html",
            '<html><frameset><frame src="menu.html"><frame src="b.html"><noframes><p>Frames!</p></noframes></frameset></html>',
            "b.html",
        ),
        ("a.html", '<html><noscript><meta http-equiv="refresh" content="0;url=b.html"></noscript></html>', "b.html"),
    ],
)
def test_a_page_that_leads_elsewhere_says_where(path: str, text: str, target: str) -> None:
    document = parse(RawDocument(path, text.encode()))
    assert document.content == f"Redirects to [{target}]({target}).\n"
    assert document.warnings == ("it only says where its text is: it can be read, and searches leave it out",)


@pytest.mark.parametrize(
    ("path", "text"),
    [
        ("a.md", "---\nredirect_to: /b\n---\n\nA bowline holds.\n"),
        ("a.md", "---\nredirect_to: https://a.org/b\ndescription: A bowline holds.\n---\n"),
        ("a.md", "---\nredirect_from: /b\n---\n\nA bowline holds.\n"),
        ("a.mdx", '---\ndescription: A bowline holds.\n---\nimport R from "x";\n\n<Redirect to="https://a.org" />\n'),
        ("a.mdx", 'A bowline holds.\n\n```jsx\n<Redirect to="/b" />\n```\n'),
        ("a.html", '<meta http-equiv="refresh" content="0; url=b.html"><p>' + "A bowline holds. " * 40),
        ("a.html", '<meta http-equiv="refresh" content="60; url=b.html"><p>A bowline holds.'),
        ("a.html", '<meta http-equiv="refresh" content="5; url=a.html"><p>A bowline holds.'),
        ("docs/a.html", '<meta http-equiv="refresh" content="5; url=../docs/a.html?b"><p>A bowline holds.'),
        ("a.html", '<meta http-equiv="refresh" content="5; url=?b=c"><p>A bowline holds.'),
        ("a.html", '<meta http-equiv="refresh" content="5; url=http://[a"><p>A bowline holds.'),
        ("a.html", '<meta http-equiv="refresh" content="0; url=https://other.example/"><p>A bowline holds.'),
        ("a.html", '<noscript><meta http-equiv="refresh" content="0;url=b.html"></noscript><p>A bowline holds.'),
    ],
)
def test_a_page_with_text_of_its_own_says_that(path: str, text: str) -> None:
    document = parse(RawDocument(path, text.encode()))
    assert "A bowline holds." in document.content
    assert document.warnings == ()


LINK = "Leads to [https://a.org/b](https://a.org/b).\n"


@pytest.mark.parametrize(
    ("path", "front_matter", "content"),
    [
        ("a.md", "redirect_to: https://a.org/b", LINK),
        ("a.html", "redirect_to: [https://a.org/b, https://a.org/c]", LINK),
        ("a.mdx", "redirect: https://a.org/b\ndescription: Knots.", f"Knots.\n\n{LINK}"),
    ],
)
def test_a_page_without_text_that_leads_to_another_site_is_found_and_says_where(
    path: str, front_matter: str, content: str
) -> None:
    document = parse(RawDocument(path, f"---\ntitle: Knots\n{front_matter}\n---\n".encode()))
    assert (document.title, document.content, document.warnings) == ("Knots", content, ())
    assert not is_moved_page(document.content)


def test_a_page_that_leads_to_no_page_of_the_web_has_no_text() -> None:
    assert parse_bytes(b"---\nredirect_to: 'javascript:sail()'\n---\n").warnings == (NO_TEXT,)


def test_a_page_that_has_moved_says_so() -> None:
    document = parse_bytes(b"# Knots\n\nThis page has moved to [Knots](b.md).\n")
    assert document.content == "# Knots\n\nThis page has moved to [Knots](b.md).\n"
    assert document.warnings == ("it only says where its text is: it can be read, and searches leave it out",)


def test_a_description_that_becomes_the_text_is_cleaned_as_text_is() -> None:
    hidden = "<span style='display:none'>secret text for nobody to read</span> <!-- note -->"
    document = parse_bytes(f'---\ndescription: "Hello {hidden} end"\n---\n'.encode())
    assert "secret" not in document.content
    assert "note" not in document.content
    assert document.content.startswith("Hello")


def test_a_description_that_is_given_becomes_the_text_too() -> None:
    document = parse(
        RawDocument("a.md", b"---\ntitle: A\n---\n<!-- elsewhere -->\n", metadata={"description": "Given."})
    )
    assert (document.content, document.warnings) == ("Given.", ())
