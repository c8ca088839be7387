"""R documentation (`.Rd`), of which R makes a package's reference: read into a tree of HTML, which the HTML converter turns into Markdown.

    syntax.py      macros with their arguments, of text, of code and of what is written as it is
    shown.py       what of them readers see: conditions, ways of writing, what only other formats show
    code.py        usages and examples as R code
    to_html.py     sections, paragraphs, lists and tables

"Parsing Rd files" (https://developer.r-project.org/parseRd.pdf), "Writing R Extensions" (chapter 2). No code in it is run: what `\\Sexpr`
would give is left out.
"""
