"""Tags of site generators in Markdown: Hugo's shortcodes, and the tags of GitBook, Jekyll, Liquid and Markdoc. PURE: no template is run.

    writer.py             replaces tags with what readers see of them
    meanings.py           which tags are known, and what readers see of one
    arguments.py          the arguments of a tag
    tab_tags.py           tabs whose labels the tag around them has
    hugo_embeds.py, hugo_icons.py   Hugo's tags for videos and posts, and for icons
    gitbook_blocks.py     GitBook's blocks with content of their own
    front_matter_cards.py tags of Grafana and Jekyll that show what front matter says
    jekyll_includes.py    Jekyll's includes that are given a text or a picture to show
    jekyll_captures.py    texts that Liquid captures in a page to show them further down
    yaml_blocks.py        blocks that are told what to show in YAML, and tags around code
    raw_code.py           code that a page keeps Liquid from
    liquid_addresses.py   addresses that Jekyll's filters build from a path

What needs the site's own templates is replaced before: ../../shortcodes.
"""
