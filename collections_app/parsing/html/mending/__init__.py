"""Changes the tree of a page before it is converted, where its elements do not say what readers see. PURE.

    confluence.py, google_docs.py, notion.py   pages that these programs exported
    swagger_ui.py         an API description saved from a browser
    highlighters.py       code laid out as lines of other elements
    faked_lists.py        lists that are paragraphs
    titles.py, levels.py  titles that are no headings, and levels that were chosen by their looks
    language_texts.py     punctuation that a script chooses
    templates.py          templates in scripts

../document.py calls them.
"""
