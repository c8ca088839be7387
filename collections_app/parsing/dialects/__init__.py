"""What builders of sites have in Markdown beyond CommonMark, made Markdown that says the same, on the same lines. It reads nothing.

    myst/                 MyST: roles, directives, links without words
    template_tags.py      tags of Hugo, Jekyll, GitBook and Markdoc
    hugo_embeds.py        those of Hugo for videos and posts
    jekyll_includes.py    those that give an include of Jekyll's a text or a picture to show
    gitbook_blocks.py     those of GitBook that say something by themselves
    rule_ids.py           ids of rules in specifications of mdBook
    liquid_addresses.py   addresses that Jekyll's filters make of a path
    docfx.py              DocFX and Microsoft Learn: tabs, columns, pivots, versions, names of an API
    docc.py               Apple's DocC: hidden directives, links to articles
    documenter.py         Julia's Documenter: ids of headings, references
    kumascript.py         MDN's macros and lists of terms
    vuepress.py           VuePress: links of its router, badges, values of a build in headings
    block_attributes.py   attributes of blocks, links and pictures (kramdown, Python-Markdown, Writerside, Quarto)
    comment_facts.py      what comments at the start of a file say of it (Writerside)
    page_head.py          what is for the head of the page that is made (Docusaurus)
    components.py         tags of components, in MDX and in Markdown; mdx_code.py says where MDX has code
    shown_tags.py         how what a tag says is written: titles, kinds of boxes

../markdown.py calls them in their order. What needs other files of the source is put in before: ../includes, ../variables, ../shortcodes,
../references.
"""
