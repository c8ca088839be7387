"""Fixtures that ask the client back before they answer (multi round-trip). Named as the conformance suite calls them.

An answer that is missing, or not of the form that was asked for, is asked for again.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mcp_app.entries import Call, Prompt
from mcp_app.protocol.answers import Content, InputRequired
from tests.conformance.content import Arguments, make_tool, say

Question = dict[str, Any]
Outcome = Content | InputRequired


def ask_for(field: str, message: str) -> Question:
    """A question to the person, whose answer is one text."""
    schema = {"type": "object", "properties": {field: {"type": "string"}}, "required": [field]}
    return {"method": "elicitation/create", "params": {"mode": "form", "message": message, "requestedSchema": schema}}


def ask_model(text: str) -> Question:
    message = {"role": "user", "content": {"type": "text", "text": text}}
    return {"method": "sampling/createMessage", "params": {"messages": [message], "maxTokens": 50}}


ASK_NAME = ask_for("name", "What is your name?")
ASK_CAPITAL = ask_model("What is the capital of France?")
ASK_ROOTS: Question = {"method": "roots/list", "params": {}}


def find_text(call: Call, key: str, field: str) -> str | None:
    """What the person typed."""
    content = find_response(call, key).get("content")
    value = content.get(field) if isinstance(content, dict) else None
    return value if isinstance(value, str) else None


def find_response(call: Call, key: str) -> Mapping[str, Any]:
    response = (call.input_responses or {}).get(key)
    return response if isinstance(response, dict) else {}


def greet(call: Call, arguments: Arguments) -> Outcome:
    name = find_text(call, "user_name", "name")
    return say(f"Hello, {name}!") if name else InputRequired({"user_name": ASK_NAME})


def ask_the_model(call: Call, arguments: Arguments) -> Outcome:
    content = find_response(call, "capital_question").get("content")
    if not isinstance(content, dict):
        return InputRequired({"capital_question": ASK_CAPITAL})
    return say(f"The model said: {content.get('text')}")


def list_roots(call: Call, arguments: Arguments) -> Outcome:
    roots = find_roots(call)
    return InputRequired({"client_roots": ASK_ROOTS}) if roots is None else say(f"The roots: {', '.join(roots)}")


def find_roots(call: Call) -> list[str] | None:
    roots = find_response(call, "client_roots").get("roots")
    return [str(root.get("uri")) for root in roots if isinstance(root, dict)] if isinstance(roots, list) else None


def confirm(call: Call, arguments: Arguments) -> Outcome:
    if call.request_state != "to be confirmed" or not find_response(call, "confirm"):
        schema = {"type": "object", "properties": {"ok": {"type": "boolean"}}, "required": ["ok"]}
        params = {"mode": "form", "message": "Please confirm", "requestedSchema": schema}
        return InputRequired({"confirm": {"method": "elicitation/create", "params": params}}, "to be confirmed")
    return say("state-ok")


def ask_all(call: Call, arguments: Arguments) -> Outcome:
    name, roots = find_text(call, "user_name", "name"), find_roots(call)
    if call.request_state is None or not name or roots is None or not find_response(call, "greeting"):
        greeting = ask_model("Generate a greeting")
        return InputRequired({"user_name": ASK_NAME, "greeting": greeting, "client_roots": ASK_ROOTS}, "asked all")
    return say(f"Hello, {name}, with {len(roots)} roots!")


def ask_twice(call: Call, arguments: Arguments) -> Outcome:
    """The state is what is known so far."""
    name = find_text(call, "step1", "name")
    if call.request_state is None or (call.request_state == "" and not name):
        return InputRequired({"step1": ask_for("name", "Step 1: What is your name?")}, "")
    name = call.request_state or name
    color = find_text(call, "step2", "color")
    if not color:
        return InputRequired({"step2": ask_for("color", "Step 2: What is your favorite color?")}, name)
    return say(f"{name} likes {color}.")


def ask_what_can_be_answered(call: Call, arguments: Arguments) -> Outcome:
    questions = {"elicitation": ASK_NAME, "sampling": ASK_CAPITAL, "roots": ASK_ROOTS}
    asked = {name: question for name, question in questions.items() if name in call.client_capabilities}
    return say("Thank you.") if call.input_responses or not asked else InputRequired(asked)


def need_sampling(call: Call, arguments: Arguments) -> Content:
    call.require_client_capability("sampling")
    return say("The client can sample.")


TOOLS = (
    make_tool("test_missing_capability", need_sampling),
    make_tool("test_streaming_elicitation", greet),
    make_tool("test_input_required_result_elicitation", greet),
    make_tool("test_input_required_result_sampling", ask_the_model),
    make_tool("test_input_required_result_list_roots", list_roots),
    make_tool("test_input_required_result_request_state", confirm),
    make_tool("test_input_required_result_multiple_inputs", ask_all),
    make_tool("test_input_required_result_multi_round", ask_twice),
    make_tool("test_input_required_result_tampered_state", confirm),
    make_tool("test_input_required_result_capabilities", ask_what_can_be_answered),
)


def build_with_context(call: Call, given: Mapping[str, str]) -> str | InputRequired:
    context = find_text(call, "user_context", "context")
    question = ask_for("context", "What context should the prompt use?")
    return f"Use this context: {context}" if context else InputRequired({"user_context": question})


PROMPTS = (Prompt("test_input_required_result_prompt", "A prompt that asks back.", build_with_context),)
