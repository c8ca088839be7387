"""Replaces the extensions that site generators add to Markdown with CommonMark that says the same. No file is read, and no line moves, but
below cards.

    myst/                 MyST: roles, directives, links without words
    template_tags/        tags of Hugo, Jekyll, GitBook and Markdoc
    tab_labels.py         where labels of tabs belong
    rule_ids.py           ids of rules in specifications of mdBook
    docfx.py              DocFX and Microsoft Learn: tabs, columns, pivots, versions, API names
    learn_pages.py        questions, and pages of links, that Microsoft Learn keeps in YAML
    docc/                 Apple's DocC: directives, links to articles, placeholders
    documenter.py         Julia's Documenter: heading ids, references, blocks that a build runs or fills
    exdoc.py              Elixir's ExDoc: links to code, kinds of names
    knitr.py              R Markdown and Quarto: chunks that are not shown, links to R's help
    kumascript.py         MDN's macros and lists of terms
    vuepress.py           VuePress: router links, badges, build values in headings
    block_attributes.py   attribute lists of blocks, links and pictures (kramdown, Python-Markdown, Writerside, Quarto)
    mkdocs/               MkDocs: blocks between slashes, icons, docstrings, references to code
    code_excerpts.py      marks in code that Dart's pages take from files
    notion.py             callouts of Notion
    api_calls.py          API calls that only front matter has (Mintlify)
    front_matter_data.py  what layouts show of front matter (Jekyll, VitePress), questions and answers
    comment_facts.py      facts in comments at the start of a file (Writerside)
    page_head.py          content for the head of the built page (Docusaurus)
    components/           component tags, in MDX and in Markdown
    mdx_code.py           where code is in MDX
    videos.py             videos by their site and id
    shown_tags.py         titles, link targets and kinds of boxes of tags, as Markdown

../markdown/parser.py calls them in their order. What needs other files of the source is replaced before: ../includes, ../variables,
../shortcodes, ../references.
"""
