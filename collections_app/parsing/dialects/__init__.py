"""Replaces the extensions that site generators add to Markdown with CommonMark that says the same. No file is read, and no line moves, but
below cards.

    myst/                 MyST: roles, directives, links without words
    template_tags.py      tags of Hugo, Jekyll, GitBook and Markdoc
    hugo_embeds.py, hugo_icons.py   Hugo's tags for videos and posts, and for icons
    front_matter_cards.py tags of Grafana and Jekyll that show what front matter says
    jekyll_includes.py    Jekyll's includes that are given a text or a picture to show
    jekyll_captures.py    texts that Liquid captures in a page to show them further down
    raw_code.py           code that a page keeps Liquid from
    tag_arguments.py, tab_labels.py   the arguments of such tags, and the labels of tabs
    gitbook_blocks.py     GitBook's blocks with content of their own
    rule_ids.py           ids of rules in specifications of mdBook
    liquid_addresses.py   addresses that Jekyll's filters build from a path
    docfx.py              DocFX and Microsoft Learn: tabs, columns, pivots, versions, API names
    docc/                 Apple's DocC: directives, links to articles, placeholders
    documenter.py         Julia's Documenter: heading ids, references, blocks that a build runs or fills
    exdoc.py              Elixir's ExDoc: links to code, kinds of names
    knitr.py              R Markdown and Quarto: chunks that are not shown, links to R's help
    autorefs.py           references to code of mkdocs-autorefs
    kumascript.py         MDN's macros and lists of terms
    vuepress.py           VuePress: router links, badges, build values in headings
    block_attributes.py   attribute lists of blocks, links and pictures (kramdown, Python-Markdown, Writerside, Quarto)
    slash_blocks.py, icons.py, mkdocstrings.py   blocks between slashes, icons and docstrings (MkDocs)
    notion.py             callouts of Notion
    api_calls.py          API calls that only front matter has (Mintlify)
    comment_facts.py      facts in comments at the start of a file (Writerside)
    page_head.py          content for the head of the built page (Docusaurus)
    components.py         component tags, in MDX and in Markdown; mdx_code.py finds the code in MDX, component_rows.py and component_code.py
                          write tables and code
    shown_tags.py         titles, link targets and kinds of boxes of tags, as Markdown

../markdown.py calls them in their order. What needs other files of the source is replaced before: ../includes, ../variables, ../shortcodes,
../references.
"""
