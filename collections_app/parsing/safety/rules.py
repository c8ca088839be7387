"""Rules for text that is addressed to a model, drawn from known attacks. They search nothing.

A paraphrase that no rule knows passes; docs/content-safety.md says so. Trying a rule at a position takes constant time: gaps and
repetitions are bounded, and no character of a word can stand between two words, so a row of words can be read in one way only.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Rule:
    """Matches lower-case text where `pattern` matches from one of `starts` on and `before` matches the text that ends there.

    Every text that matches contains `needed`; in a text without it, nothing else is looked for. `is_said_to_readers`: documentation also
    says this to readers, or about others ("you can ignore the above instructions"), so the words around it must not show that.
    """

    starts: tuple[str, ...]
    pattern: re.Pattern[str]
    before: re.Pattern[str]
    is_said_to_readers: bool = False
    needed: str = ""
    is_anywhere: bool = False
    """Whether it may begin within a word."""


def _make_rule(
    *starts: str, pattern: str = "", before: str = r"(?<!\w)", is_said_to_readers: bool = False, needed: str = ""
) -> Rule:
    """A blank in a pattern matches whatever may separate two words: blanks, a line end, emphasis, quotation marks."""
    return Rule(starts, _compile(pattern), _compile(rf"(?:{before})\Z"), is_said_to_readers, needed, before == "")


def _compile(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern.replace(" ", r"[\W_]{1,8}+"), re.MULTILINE)


_WORD = r"[^\W_]{1,20}+"
# How tools are called, with their server: `mail.send_message`.
_NAME = r"[^\W_][\w.:/-]{0,58}?[^\W_]"
_MODEL_STARTS = (
    "ai",
    "llm",
    "coding a",
    "language model",
    "large language",
    "auto",
    "chat",
    "claude",
    "gemini",
    "copilot",
)
_MODEL = (
    r"(?:(?:an?|the|this|any|all) )?(?:(?:ai|llm|coding|automated|autonomous) "
    r"(?:agent|assistant|model|system|crawler|reader|tool)|(?:large )?language model|ai|llm|chatbot|chatgpt|claude|gemini|copilot)s?"
)
_EARLIER = r"(?:previous|prior|above|earlier|preceding|foregoing|original|initial|existing|system|your(?: system)?)"
_ORDERS = r"(?:instructions?|prompts?|directives?|guidelines|system messages?|commands?|programming)"
_USER = r"(?:the |your )?(?:users?|humans?|operators?)"
_FORBIDDING = r"\b(?:do not|don't|don’t|never|avoid) "
_CONFIDENTIAL = (
    r"(?:conversation|chat history|system prompt|environment variables|credentials|api keys?|access tokens?|secrets|passwords?"
    r"|private keys?|ssh keys?|user['’]?s (?:data|files|messages?|e-?mails?|secrets|credentials))"
)
# Documentation often describes tools that make or keep secrets, but rarely asks to hand secrets over.
_HANDING = (
    r"(?:includ(?:e|ing)|pass(?:ing)?|send(?:ing)?|giv(?:e|ing)|contain(?:s|ing)?|attach(?:ing)?|forward(?:ing)?|post(?:ing)?|put(?:ting)?"
    r"|upload(?:ing)?|leak(?:ing)?|append(?:ing)?|shar(?:e|ing)|exfiltrat(?:e|ing)|transmit(?:ting)?|fill(?:ing)?)"
)
_SENT = r"(?:conversation|chat history|system prompt|context window|user['’]?s (?:data|files|messages?|secrets|credentials|api keys?))"

RULES: tuple[Rule, ...] = (
    # Overriding what the model was told.
    _make_rule(
        "ignore",
        "disregard",
        "forget",
        "override",
        "bypass",
        # an order or an invitation, not a description (`bypasses`)
        pattern=rf"(?:bypass|[a-z]{{5,8}}[a-rt-z]) "
        rf"(?:(?:(?:all|any|every|each|of|the|these|those|my) ){{0,4}}(?:{_EARLIER} (?:(?:and|or) )?){{1,3}}{_ORDERS}"
        r"|all (?:of )?(?:(?:the|your) )?(?:instructions|prompts|directives))\b",
        is_said_to_readers=True,
    ),
    _make_rule(
        "ignorier",
        "vergiss",
        "vergesse",
        "missachte",
        pattern=rf"{_WORD} (?:{_WORD} ){{0,3}}(?:vor|bis|ob|früh)\w{{0,20}}(?:ig|er|her)en (?:{_WORD} )?anweisungen\b",
        needed="anweisungen",
    ),
    _make_rule(
        "ignore",
        "oublie",
        pattern=rf"{_WORD} (?:{_WORD} ){{0,4}}instructions (?:précédentes|antérieures|ci-dessus)",
        needed="instructions",
    ),
    _make_rule(
        "ignor",
        "olvid",
        pattern=rf"{_WORD} (?:{_WORD} ){{0,4}}instrucciones (?:anteriores|previas)",
        needed="instrucciones",
    ),
    _make_rule(
        "ignor",
        "esque",
        pattern=rf"{_WORD} (?:{_WORD} ){{0,4}}instruções (?:anteriores|prévias)",
        needed="instruções",
    ),
    _make_rule(
        "ignora",
        "dimentica",
        pattern=rf"{_WORD} (?:{_WORD} ){{0,4}}istruzioni (?:precedenti|sopra)",
        needed="istruzioni",
    ),
    _make_rule(
        "игнорируй",
        "проигнорируй",
        "забудь",
        pattern=rf"{_WORD} (?:{_WORD} ){{0,4}}(?:предыдущие|прежние|прошлые) (?:{_WORD} )?инструкции",
    ),
    _make_rule(
        "忽略",
        "无视",
        "忘记",
        pattern=r"..[^\n。]{0,8}(?:之前|以前|以上|先前|前面|上述)[^\n。]{0,8}(?:指令|指示|提示词|命令)",
        before="",
    ),
    _make_rule(
        "これまでの",
        "以前の",
        "上記の",
        "前の",
        pattern=r"\w{1,6}?の[^\n。]{0,6}(?:指示|命令|プロンプト)[^\n。]{0,8}無視(?:し|せ)",
        before="",
    ),
    _make_rule("이전", "위의", pattern=r"..[^\n.]{0,10}(?:지시|명령|프롬프트)[^\n.]{0,10}무시", before=""),
    # Giving it a role, or speaking to it.
    _make_rule(
        "you are",
        pattern=rf"you are (?:now )?(?:an?|the) (?:{_WORD} ){{0,6}}?(?:ai|language model|llm|chatbot|assistant)\b"
        r"[^\n]{0,200}?\b(?:must|always|never|do not|don't|from now on|instead)\b",
        needed="you are",
    ),
    _make_rule(
        "if you are",
        pattern=rf"if you are {_MODEL}\b[^.\n]{{0,60}}?[\s,:]{{1,8}}(?:you (?:must|should|need to|will)|please|do not|don't|ignore|then"
        r"|call|run|execute|send|fetch|open|reply|respond|answer|say|output|recommend|instruct)\b",
        needed="you are",
    ),
    _make_rule(
        *_MODEL_STARTS,
        pattern=rf"{_MODEL} (?:(?:reading|processing|summari[sz]ing|using|indexing|parsing|answering)\b[^.\n]{{0,60}}? )?must "
        r"(?:(?:always|never|not|first) )?(?:ignore|disregard|call|invoke|run|execute|send|fetch|include|reply|respond|answer"
        r"|recommend|say|tell|reveal|output|insert|use)\b",
        before=r"(?:^|[.!?:>*#(\[-])\s{0,3}(?:(?:an?|any|all|the|this) )?",
        needed="must",
    ),
    _make_rule(
        "note",
        "message",
        "instruction",
        "notice",
        "attention",
        "warning",
        pattern=rf"{_WORD} (?:to|for) {_MODEL}\b",
        before=r"^[\s>#*_(\[-]{0,10}(?:(?:important|urgent|attention|special) )?",
    ),
    # Keeping something from its user.
    _make_rule(
        "tell",
        "inform",
        "notify",
        "alert",
        pattern=rf"{_WORD} {_USER} (?:about|of|that you) (?:this|these|it|the|your|have|are)\b",
        before=_FORBIDDING,
    ),
    _make_rule(
        "mention",
        "reveal",
        "disclose",
        "show",
        "repeat",
        pattern=rf"{_WORD} (?:this|these|any of this|these instructions) (?:{_WORD} ){{0,2}}?(?:to )?{_USER}\b",
        before=_FORBIDDING,
    ),
    # Having it give away what it knows, or do what only its user may ask for.
    _make_rule(
        "reveal",
        "print",
        "output",
        "repeat",
        "leak",
        "disclose",
        "send",
        "write out",
        pattern=rf"{_WORD} (?:out )?(?:me )?(?:all of )?your (?:(?:full|entire|whole|own) )?(?:(?:system|hidden|initial) )?prompt\b",
        is_said_to_readers=True,
        needed="prompt",
    ),
    _make_rule(
        "call",
        "invoke",
        "use ",
        "run ",
        "execute",
        pattern=rf"{_WORD} (?:the )?{_NAME} tool (?:{_WORD} ){{0,8}}?"
        rf"(?:{_HANDING} (?:{_WORD} ){{0,6}}?{_CONFIDENTIAL}|with (?:{_WORD} ){{0,6}}?{_SENT})\b",
        needed="tool",
    ),
    _make_rule(
        "before you",
        "before answer",
        "before respond",
        "before reply",
        "before continu",
        "before doing",
        pattern=rf"[^.\n]{{10,80}}?\b(?:call|invoke|use|run|execute) (?:the )?{_NAME} tool\b",
        needed="tool",
    ),
    _make_rule(
        "send",
        "post",
        "append",
        "exfiltrate",
        "upload",
        "forward",
        "leak",
        "transmit",
        pattern=rf"{_WORD} (?:{_WORD} ){{0,10}}?{_SENT}\b[^\n]{{0,120}}?https?://",
    ),
    _make_rule(
        "![",
        pattern=r"!\[[^\]\n]{0,200}+\]\(https?://(?>[^)\s]{1,500}?[=/](?:\{|%7b|\[|<|\$\{))[^)\n]{0,200}?"
        r"(?:conversation|chat|history|prompt|secret|api_?key|password|credential|user_?(?:data|message|input)|summary)",
        before="",
    ),
    # Marks that hosts put between the parts of a conversation.
    _make_rule(
        "<|",
        pattern=r"<\|(?:im_(?:start|end)|system|user|assistant|end_?of_?text|(?:start|end)_header_id|eot_id)\|>",
        before="",
    ),
    _make_rule("[inst]", "[/inst]", before="", needed="inst]"),
    _make_rule("<<sys>>", "<</sys>>", before="", needed="sys>>"),
    _make_rule("<system", "</system", pattern=r"</?system[_-]?(?:prompt|reminder|instructions?)>", before=""),
    _make_rule("function_call", pattern="function_calls?>", before=r"</?(?:\w{1,10}:)?"),
)
