"""The tools, in the order of tools/list. Each has one file with its parameters, its function and its description."""

from mcp_app.entries import Tool
from mcp_app.tools.ask_docs import ASK_DOCS
from mcp_app.tools.get_doc_page import GET_DOC_PAGE
from mcp_app.tools.ingest_document import INGEST_DOCUMENT
from mcp_app.tools.ingestion_status import INGESTION_STATUS
from mcp_app.tools.list_collections import LIST_COLLECTIONS
from mcp_app.tools.list_doc_pages import LIST_DOC_PAGES
from mcp_app.tools.read_sections import READ_SECTIONS
from mcp_app.tools.search_docs import SEARCH_DOCS
from mcp_app.tools.send_feedback import SEND_FEEDBACK
from mcp_app.tools.table_of_contents import TABLE_OF_CONTENTS

TOOLS: tuple[Tool, ...] = (
    SEARCH_DOCS,
    TABLE_OF_CONTENTS,
    READ_SECTIONS,
    GET_DOC_PAGE,
    LIST_DOC_PAGES,
    LIST_COLLECTIONS,
    ASK_DOCS,
    SEND_FEEDBACK,
    INGEST_DOCUMENT,
    INGESTION_STATUS,
)
