"""Which paragraphs and sections of an OpenDocument text are hidden by a field or a condition; styles.py handles hiding by styles."""

from __future__ import annotations

from xml.etree.ElementTree import Element

from collections_app.parsing.office.odt.names import DRAW, TEXT


def is_hidden_section(section: Element) -> bool:
    display = section.get(f"{TEXT}display", "true")
    return display == "none" or (display == "condition" and section.get(f"{TEXT}is-hidden") != "false")


def is_hidden_paragraph(paragraph: Element) -> bool:
    """Whether a field hides the paragraph. Fields in its notes and boxes do not count."""
    around = [paragraph]
    while around:
        element = around.pop()
        if element.tag == f"{TEXT}hidden-paragraph" and element.get(f"{TEXT}is-hidden") == "true":
            return True
        around += (each for each in element if each.tag != f"{TEXT}note" and not each.tag.startswith(DRAW))
    return False
