"""Forms of English words that PostgreSQL's stemmer takes for different words. PURE.

These are irregular forms (`overwrite`, `overwritten`), British and American spellings (`behaviour`, `serialise`), regular forms that the
stemmer misses (`alias`, `aliases`), verbs with their nouns (`verify`, `verification`), and words that are clipped in writing (`repo`). The
stemmer is Snowball's for English (Porter2), which cuts endings off and knows a few dozen exceptions.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

# The words on each line are forms of one word. Forms that are rather words of their own in documentation are left out: `found`, `bound`,
# `extension`. A word with a star finds the others, but they do not find it, because its stem is that of another word (`indices`,
# `indicate`), or because it is clipped (`env`): documents have that in paths and code. Clipped words that are keywords, commands or folders
# by themselves are left out (`init`, `var`), and so are `config`, since many documents have `configuration` in the path of most pages, and
# `authorization` for `auth`, which has the stem of `author`.
LINES = """
arise arose arisen
awake awoke awoken
beat beaten
become became
begin began begun
bend bent
blow blew blown
break broke broken
bring brought
rebuild rebuilt
burn burnt
buy bought
catch caught
choose chose chosen
cling clung
come came
overcome overcame
creep crept
deal dealt
dig dug
draw drew drawn
redraw redrew redrawn
withdraw withdrew withdrawn
eat ate eaten
fall fell fallen
feed fed
fight fought
fling flung
fly flew flown
forbid forbade forbidden
foresee foresaw foreseen
forget forgot forgotten
freeze froze frozen
unfreeze unfroze unfrozen
grow grew grown
hang hung
hear heard
hide hid hidden
unhide unhidden
hold held
withhold withheld
keep kept
lean leant
leap leapt
learn learnt
lend lent
lose lost
mistake mistook mistaken
override overrode overridden
overwrite overwrote overwritten
pay paid
prepay prepaid
prove proven
redo redid redone
undo undid undone
rerun reran
run ran
overrun overran
say said
seek sought
sell sold
send sent
resend resent
shake shook shaken
show shown
shrink shrank shrunk
sleep slept
slide slid
speak spoken
speed sped
spell spelt
misspell misspelt
spend spent
spin spun
stand stood
understand understood
steal stole stolen
strike struck
swear swore sworn
sweep swept
swing swung
take took taken
teach taught
tell told
think thought
throw threw thrown
rethrow rethrew rethrown
wake woke woken
wear wore worn
write wrote written
rewrite rewrote rewritten
child children
woman women
foot feet
half halves
index *indices
matrix matrices
vertex *vertices
appendix appendices
axis axes
analyze analysis analyses
diagnose diagnosis
ellipsis *ellipses
emphasis emphases
hypothesis hypotheses
parenthesis parentheses
synopsis synopses
synthesis syntheses
crisis crises
criterion criteria
phenomenon phenomena
corpus corpora
radius radii
quiz quizzes
alias aliases
canvas canvases
gas gases
bus buses
queue queued
free freed
panic panicked
mimic mimicked
catalog catalogue
dialog dialogue
analog analogue
center centre
meter metre
millimeter millimetre
centimeter centimetre
kilometer kilometre
*liter litre
fiber fibre
theater theatre
gray grey
license licence
defense defence
offense offence
practice practise
artifact artefact
judgment judgement
program *programme
skeptic sceptic
mold mould
aluminum aluminium
maneuver manoeuvre
skillful skilful
disk disc
jewelry jewellery
sulfur sulphur
airplane aeroplane
adviser advisor
focus focussed
behave behavior behaviour
easy easily
lazy lazily
heavy heavily
temporary temporarily
necessary necessarily
arbitrary arbitrarily
assume assumption
collide collision
compare comparison
consume consumption
convert *conversion
decide decision
define definition
deliver delivery
deny denial
describe description
destroy destruction
disclose disclosure
discover discovery
divide division
exclude *exclusion
expand expansion
explain explanation
expose exposure
fail failure
include *inclusion
invert inversion
invoke invocation
maintain maintenance
multiply *multiplication
occur occurrence
recover recovery
recur recurrence
reduce reduction
register registration
reproduce reproduction
resolve resolution
resume resumption
retain retention
revoke revocation
submit submission
subscribe subscription
succeed success
suspend *suspension
transcribe transcription
transmit transmission
unwind unwound
overlay overlaid
undergo underwent undergone
undertake undertook undertaken
repay repaid
maximum maxima
minimum minima
schema schemata
mouse mice
busy busily
unnecessary unnecessarily
writable writeable
usable useable
movable moveable
sharable shareable
cacheable cachable
requester requestor
adapter adaptor
datacenter datacentre
grayscale greyscale
inquiry enquiry
acquire acquisition
repeat repetition
omit omission
comply compliance
expire expiry
*admin administrator
*arg argument
*attr attribute
*auth authentication
*cert certificate
*creds credentials
*dep dependency
*dir directory
*env environment
*libs libraries
*msg message
*org organization
*param parameter
*perms permissions
*pkg package
*repo repository
*stats statistics
*vars variables
"""

# Words that have only one spelling: `otherwise`, `resize`.
_ONE_SPELLING = (
    "adverti|advi|compromi|conci|devi|disgui|enterpri|exerci|experti|franchi|improvi|likewi|merchandi|otherwi|preci|premi|promi|resi|revi"
    "|supervi|surpri"
)
# Where the two spellings of a word differ, and how.
SPELLINGS = (
    (
        re.compile(
            rf"(?!(?:{_ONE_SPELLING})[sz])[a-z]{{3,}}i([sz])(?:e[ds]?|ing|ers?|ab(?:le|ly|ility)|ations?|ational(?:ly)?)"
        ),
        ("s", "z"),
    ),
    (re.compile(r"(?:ana|cata|dia|electro|hydro|para)ly([sz])(?:e[ds]?|ing|ers?)"), ("s", "z")),
    (
        re.compile(r"(?:arm|behavi|col|endeav|fav|flav|harb|hon|hum|lab|neighb|rig|rum|sav|vap|vig)(ou?r)[a-z]*"),
        ("or", "our"),
    ),
)
# `notify` and `notification`, whose stems differ. `specification` is left out: it has the stem of `specific`.
NOTIFY = re.compile(r"((?!specif|certif)[a-z]{2,}if)(?:y|ies|ied|ying)")
NOTIFICATION = re.compile(r"([a-z]{2,}if)ications?")

# `diffing`, which the stemmer turns into `dif`.
DOUBLE_F = re.compile(r"([a-z]{2,}ff)(?:ed|ing)?")

CONSONANTS = "bcdfghjklmnpqrstvz"


def list_forms(word: str) -> list[str]:
    """Other forms of a word, in lower case, each once. Some may have the same lexeme in PostgreSQL, and some may not be words."""
    return list(dict.fromkeys(form for form in (*map_forms().get(word, ()), *iter_variants(word)) if form != word))


@lru_cache(maxsize=1)
def map_forms() -> Mapping[str, Sequence[str]]:
    """Each word of a line and each of its regular forms → the other words of the line, without those with a star."""
    forms: dict[str, dict[str, None]] = defaultdict(dict)
    for line in LINES.strip().splitlines():
        words = line.split()
        found = [word for word in words if not word.startswith("*")]
        for word in (word.removeprefix("*") for word in words):
            others = dict.fromkeys(other for other in found if other != word)
            for form in (word, *iter_regular_forms(word)):
                forms[form] |= others
    return {form: tuple(others) for form, others in forms.items()}


def iter_variants(word: str) -> Iterator[str]:
    """The word's other spelling, and the noun or verb that belongs to it, derived by spelling rules."""
    for spelling, (one, other) in SPELLINGS:
        if found := spelling.fullmatch(word):
            yield word[: found.start(1)] + (other if found[1] == one else one) + word[found.end(1) :]
    if found := NOTIFY.fullmatch(word):
        yield f"{found[1]}ication"
    if found := NOTIFICATION.fullmatch(word):
        yield f"{found[1]}y"
    if found := DOUBLE_F.fullmatch(word):
        yield from (found[1], f"{found[1]}ing")


def iter_regular_forms(word: str) -> Iterator[str]:
    """The word's regular forms: plural and verb forms."""
    stem = word.removesuffix("e")
    if word[-1] == "y" and word[-2:-1] in CONSONANTS:
        yield from (f"{word[:-1]}ies", f"{word[:-1]}ied")
    else:
        yield f"{word}es" if word.endswith(("s", "x", "z", "ch", "sh")) else f"{word}s"
        yield f"{stem}ed"
    yield f"{stem}ing"
    if word[-1] in CONSONANTS and word[-2:-1] in "aeiou" and word[-3:-2] in CONSONANTS + "w":
        yield from (f"{word}{word[-1]}ed", f"{word}{word[-1]}ing")
