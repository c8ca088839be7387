"""The rules of the specification that this server claims to keep: id → where the rule stands, and what follows from it here.

Tests name the rules that they prove with `@pytest.mark.requirement("id", …)`; test_requirements.py compares both. What is
not implemented is not here but in docs/protocol.md.
"""

from __future__ import annotations

from dataclasses import dataclass

SPECIFICATION = "https://modelcontextprotocol.io/specification"


@dataclass(frozen=True)
class Requirement:
    """`page` is the address behind that of the specification, with the heading; `behaviour` a sentence about this server."""

    page: str
    behaviour: str

    @property
    def link(self) -> str:
        return f"{SPECIFICATION}/{self.page}"


def since_2026(page: str, behaviour: str) -> Requirement:
    return Requirement(f"2026-07-28/{page}", behaviour)


def before_2026(page: str, behaviour: str) -> Requirement:
    """A rule of the revisions with a handshake; the newest of them is linked."""
    return Requirement(f"2025-11-25/{page}", behaviour)


MESSAGES = {
    "message.parse-error": since_2026("basic/index#error-responses", "What is not JSON is refused with -32700."),
    "message.invalid": since_2026(
        "basic/index#messages", "JSON that is no JSON-RPC 2.0 message is refused with -32600."
    ),
    "message.id-type": since_2026("basic/index#requests", "A request's id is a string or an integer, never null."),
    "message.id-echoed": since_2026("basic/index#responses", "Every answer carries the id of its request."),
    "message.id-unknown": since_2026("basic/index#error-responses", "An error about an unreadable message has no id."),
    "message.one-outcome": since_2026("basic/index#responses", "An answer holds either a result or an error."),
    "message.error-code": since_2026("basic/index#error-codes", "An error has an integer code and a message."),
    "message.reserved-codes": since_2026(
        "basic/index#error-codes",
        "The codes that the revision retired, -32002 and -32042, are not sent to its clients.",
    ),
    "message.own-codes": since_2026(
        "basic/index#error-codes", "Codes of our own lie outside the range that JSON-RPC and the specification reserve."
    ),
    "message.notification": since_2026("basic/index#notifications", "A notification is never answered."),
    "message.no-batch": before_2026(
        "basic/transports#sending-messages-to-the-server", "A batch of messages is refused."
    ),
    "message.internal-error": since_2026(
        "server/resources#error-handling", "A failure of the server is -32603, without its inner text."
    ),
}

ENVELOPE = {
    "meta.required": since_2026("basic/index#meta", "A request without the version or the capabilities is -32602."),
    "meta.client-info-optional": since_2026("basic/index#meta", "A request without clientInfo is served."),
    "meta.unknown-ignored": since_2026("basic/index#meta", "Unknown keys in _meta change nothing."),
    "meta.server-info": since_2026("basic/index#meta", "Every result says which server it comes from."),
    "meta.missing-capability": since_2026(
        "basic/index#meta", "What needs a capability that the client did not declare is -32021, and names it."
    ),
    "result.type": since_2026("basic/index#result-responses", "Every result has a resultType."),
    "stateless.no-handshake": since_2026("basic/index#statelessness", "Any request may be the first."),
    "stateless.lists": since_2026(
        "server/tools#listing-tools", "A list depends on who asks, not on what was asked before."
    ),
}

VERSIONS = {
    "version.unsupported": since_2026(
        "basic/versioning#protocol-version-negotiation",
        "A version that is not served is -32022, with those that are and the one asked for.",
    ),
    "version.discover": since_2026(
        "server/discover#response", "server/discover names versions, capabilities and instructions."
    ),
    "version.offer-is-discovered": since_2026(
        "basic/versioning#protocol-version-negotiation",
        "Every version that an error offers is one that discover names.",
    ),
    "version.two-eras": since_2026(
        "basic/versioning#backward-compatibility-with-initialization-based-versions",
        "One endpoint serves both eras: each request is told by its header and _meta.",
    ),
    "version.removed-methods": since_2026("changelog#major-changes", "Methods that the revision removed are unknown."),
    "lifecycle.same-version": before_2026(
        "basic/lifecycle#version-negotiation", "initialize for a version that is served agrees to it."
    ),
    "lifecycle.counter-offer": before_2026(
        "basic/lifecycle#version-negotiation", "initialize for another version offers the newest with a handshake."
    ),
    "lifecycle.capabilities": before_2026(
        "basic/lifecycle#capability-negotiation", "initialize tells capabilities, server and instructions."
    ),
    "lifecycle.ping": before_2026("basic/utilities/ping#behavior-requirements", "ping gets an empty result."),
    "lifecycle.bare-results": before_2026("schema#result", "Results hold nothing that only newer revisions know."),
    "lifecycle.assumed-version": before_2026(
        "basic/transports#protocol-version-header", "Without a version header the client is taken to speak 2025-03-26."
    ),
}

HTTP = {
    "http.one-endpoint": since_2026(
        "basic/transports/streamable-http", "Messages go to one address, which never redirects."
    ),
    "http.origin": since_2026("basic/transports/streamable-http", "An Origin that is not allowed is refused with 403."),
    "http.only-post": before_2026(
        "basic/transports#listening-for-messages-from-the-server", "GET and every other method is 405, with Allow."
    ),
    "http.notification": since_2026(
        "basic/transports/streamable-http#sending-messages", "An accepted notification is 202 with an empty body."
    ),
    "http.notification-refused": since_2026(
        "basic/transports/streamable-http#sending-messages", "A notification that is not accepted gets an HTTP error."
    ),
    "http.no-responses": since_2026(
        "basic/transports/streamable-http#sending-messages", "A response that a client posts is refused."
    ),
    "http.json-or-events": since_2026(
        "basic/transports/streamable-http#sending-messages", "An answer is one JSON object, or a stream of events."
    ),
    "http.related-only": since_2026(
        "basic/transports/streamable-http#receiving-messages",
        "A stream carries notifications about its request, and no requests.",
    ),
    "http.stream-ends": since_2026(
        "basic/transports/streamable-http#receiving-messages", "The answer is the last event of a stream."
    ),
    "http.unbuffered": since_2026(
        "basic/transports/streamable-http#receiving-messages", "A stream asks proxies not to hold it back."
    ),
    "http.disconnect": since_2026(
        "basic/transports/streamable-http#cancellation", "A client that closes the stream has cancelled its request."
    ),
    "http.version-header": since_2026(
        "basic/transports/streamable-http#protocol-version-header",
        "The version header must equal the version in _meta.",
    ),
    "http.method-header": since_2026(
        "basic/transports/streamable-http#standard-request-headers", "Mcp-Method must equal the method."
    ),
    "http.name-header": since_2026(
        "basic/transports/streamable-http#standard-request-headers",
        "Mcp-Name must equal the name or URI of a call, a prompt or a resource.",
    ),
    "http.encoded-header": since_2026(
        "basic/transports/streamable-http#value-encoding", "A header value in Base64 is decoded before it is compared."
    ),
    "http.header-names": since_2026(
        "basic/transports/streamable-http#case-sensitivity", "Header names are taken in any case, values as they are."
    ),
    "http.header-mismatch": since_2026(
        "basic/transports/streamable-http#server-validation", "Headers that disagree with the body are 400 and -32020."
    ),
    "http.unknown-parameter-header": since_2026(
        "basic/transports/streamable-http#server-behavior-for-custom-headers",
        "An Mcp-Param header that no tool asks for is ignored.",
    ),
    "http.unsupported-version": since_2026(
        "basic/transports/streamable-http#protocol-version-header", "A version that is not served is 400."
    ),
    "http.unknown-method": since_2026(
        "basic/transports/streamable-http#protocol-version-header",
        "A method that is not implemented is 404 and -32601.",
    ),
    "http.unknown-version-header": before_2026(
        "basic/transports#protocol-version-header", "An unknown version in the header alone is 400."
    ),
    "http.no-session": before_2026(
        "basic/transports#session-management", "No session is opened, and the id of an old one is ignored."
    ),
    "http.authentication": since_2026(
        "basic/transports/streamable-http", "Callers are told apart by their key at every request."
    ),
    "http.challenge": since_2026(
        "basic/authorization/index#token-handling", "A credential that is not valid is 401, with a challenge."
    ),
}

TOOLS = {
    "tools.capability": since_2026("server/tools#capabilities", "The tools capability is declared."),
    "tools.order": since_2026("server/tools#listing-tools", "Tools are listed in a fixed order."),
    "tools.name": since_2026("server/tools#tool-names", "Names are 1 to 64 letters, digits, '_' and '-'."),
    "tools.name-unique": since_2026("server/tools#tool-names", "No two tools have one name."),
    "tools.name-case": since_2026("server/tools#tool-names", "Names are told apart by case."),
    "tools.input-schema": since_2026("server/tools#tool", "An input schema is a JSON Schema object of type object."),
    "tools.annotations": since_2026("schema#toolannotations", "A tool says whether it only reads."),
    "tools.unknown": since_2026("server/tools#error-handling", "An unknown tool is -32602."),
    "tools.malformed": since_2026("server/tools#error-handling", "A call that is no call is -32602."),
    "tools.bad-arguments": since_2026(
        "server/tools#error-handling", "Arguments that the model can mend are a result with isError."
    ),
    "tools.failure": since_2026("server/tools#error-handling", "A tool that fails is a result with isError."),
    "tools.structured": since_2026(
        "server/tools#structured-content", "Structured content comes as text as well, the same."
    ),
    "tools.content": since_2026("server/tools#tool-result", "Text, images, audio, resources and links are passed on."),
    "tools.validated": since_2026("server/tools#security-considerations", "A tool runs with valid arguments only."),
    "tools.access": since_2026(
        "server/tools#security-considerations", "A tool that the caller may not use is neither listed nor found."
    ),
}

RESOURCES = {
    "resources.capability": since_2026("server/resources#capabilities", "The resources capability is declared."),
    "resources.entry": since_2026("server/resources#resource", "An entry has URI and name, and what else is known."),
    "resources.order": since_2026("server/resources#listing-resources", "Resources are listed in a fixed order."),
    "resources.uri": since_2026("server/resources#custom-uri-schemes", "Every URI is one of RFC 3986."),
    "resources.read": since_2026("server/resources#reading-resources", "Text and bytes are read with their type."),
    "resources.binary": since_2026("server/resources#binary-content", "Bytes are encoded in Base64."),
    "resources.template": since_2026("server/resources#resource-templates", "A URI that a template matches is read."),
    "resources.not-found": since_2026(
        "server/resources#error-handling", "A missing resource is -32602 with the URI, never an empty list."
    ),
    "resources.not-found-before": before_2026("server/resources#error-handling", "A missing resource is -32002."),
    "resources.access": since_2026(
        "server/resources#security-considerations", "A resource of others is missing, in the same words."
    ),
    "resources.subscribe": before_2026("server/resources#subscriptions", "Subscriptions exist if they are declared."),
}

PROMPTS = {
    "prompts.capability": since_2026("server/prompts#capabilities", "The prompts capability is declared."),
    "prompts.entry": since_2026("server/prompts#prompt", "An entry has a name and its arguments."),
    "prompts.message": since_2026("server/prompts#promptmessage", "A message has a role and one content."),
    "prompts.unknown": since_2026("server/prompts#error-handling", "An unknown prompt is -32602."),
    "prompts.arguments": since_2026("server/prompts#error-handling", "A missing or wrong argument is -32602."),
}

UTILITIES = {
    "completion.capability": since_2026(
        "server/utilities/completion#capabilities", "The completions capability is declared to who knows it."
    ),
    "completion.limit": since_2026("server/utilities/completion#completion-results", "There are at most 100 values."),
    "completion.total": since_2026(
        "server/utilities/completion#completion-results", "An answer says how many there are, or that there are more."
    ),
    "completion.context": since_2026(
        "server/utilities/completion#requesting-completions", "Arguments that are known already are taken into account."
    ),
    "completion.reference": since_2026(
        "server/utilities/completion#error-handling", "A reference to nothing is -32602."
    ),
    "pagination.end": since_2026(
        "server/utilities/pagination#response-format", "Pages follow each other; the last has no nextCursor."
    ),
    "pagination.bad-cursor": since_2026(
        "server/utilities/pagination#error-handling", "A cursor that was not given is -32602, an empty one too."
    ),
    "pagination.opaque": since_2026(
        "server/utilities/pagination#implementation-guidelines", "A cursor is good for its list and its caller only."
    ),
    "caching.hints": since_2026(
        "server/utilities/caching#cacheable-results", "Lists, discovery and reads say how long they hold, not negative."
    ),
    "caching.scope": since_2026(
        "server/utilities/caching#choosing-a-cache-scope", "What depends on the key is private, on every page."
    ),
    "caching.calls": since_2026("server/utilities/caching#cacheable-results", "Calls give no caching hints."),
    "logging.capability": before_2026("server/utilities/logging#capabilities", "Logging exists if it is declared."),
    "logging.opt-in": since_2026(
        "server/utilities/logging#per-request-log-level",
        "Log messages go to requests that name a level, from it upwards.",
    ),
    "logging.level": since_2026(
        "server/utilities/logging#per-request-log-level", "A request that names a level which there is not is -32602."
    ),
    "progress.token": since_2026(
        "basic/patterns/progress#behavior-requirements",
        "Progress is reported under the request's token, if it has one.",
    ),
    "progress.token-type": since_2026("basic/patterns/progress#progress-flow", "A token is a string or an integer."),
    "progress.grows": since_2026("basic/patterns/progress#progress-flow", "Progress grows from report to report."),
    "progress.stops": since_2026("basic/patterns/progress#behavior-requirements", "Nothing is reported after the end."),
    "cancellation.unknown": since_2026(
        "basic/patterns/cancellation#error-handling", "A cancellation of nothing is ignored."
    ),
}

ROUNDS = {
    "rounds.ask": since_2026(
        "basic/patterns/mrtr#inputrequiredresult", "A call that has to ask is answered with the questions or a state."
    ),
    "rounds.declared": since_2026(
        "basic/patterns/mrtr#server-requirements-basic-workflow", "Only what the client declared is asked."
    ),
    "rounds.state": since_2026(
        "basic/patterns/mrtr#server-requirements-basic-workflow", "A state that was changed is refused."
    ),
    "rounds.state-bound": since_2026(
        "basic/patterns/mrtr#server-requirements-basic-workflow", "A state is good for its caller and its call only."
    ),
    "rounds.state-expires": since_2026(
        "basic/patterns/mrtr#server-requirements-basic-workflow", "A state is good for a while only."
    ),
    "rounds.again": since_2026("basic/patterns/mrtr#error-handling", "What is missing is asked for again."),
    "rounds.malformed": since_2026("basic/patterns/mrtr#error-handling", "Answers that are no object are -32602."),
    "rounds.extra": since_2026("basic/patterns/mrtr#error-handling", "Answers to no question are ignored."),
    "rounds.methods": since_2026(
        "basic/patterns/mrtr#supported-requests", "Calls, prompts and reads may ask, lists never."
    ),
}

STDIO = {
    "stdio.lines": since_2026("basic/transports/stdio", "A message is one line, in and out."),
    "stdio.concurrent": since_2026("basic/transports/stdio", "A call that takes long holds up no other request."),
    "stdio.cancelled": since_2026("basic/utilities/cancellation", "A request that was cancelled gets no response."),
    "stdio.only-messages": since_2026("basic/transports/stdio", "Nothing but messages is written to stdout."),
    "stdio.end": since_2026("basic/transports/stdio#shutdown", "The server ends when its input does."),
}

REQUIREMENTS: dict[str, Requirement] = {
    **MESSAGES,
    **ENVELOPE,
    **VERSIONS,
    **HTTP,
    **TOOLS,
    **RESOURCES,
    **PROMPTS,
    **UTILITIES,
    **ROUNDS,
    **STDIO,
}
