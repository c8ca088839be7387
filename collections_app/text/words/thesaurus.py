"""A thesaurus: words that people use in questions, and those that documentation of software and products may have instead. PURE.

The words on each line mean nearly the same in documentation. They are in their base forms, and entries have one or two words. It is for
English in general; a collection's own names are given by its people as synonyms (models/curation.py).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from collections_app.text.words.forms import iter_regular_forms

GROUPS = """
delete, remove, erase, get rid, discard
clean up, cleanup, housekeeping, tidy up
trash, recycle bin, soft delete
clear, wipe, purge, empty out
uninstall, deinstall
start, launch, begin, start up
boot, start up, power on
stop, halt, terminate, kill
shut down, shutdown, power off, switch off
turn off, switch off, disable, deactivate
turn on, switch on, enable, activate
restart, reboot, relaunch
reload, refresh, reread
rename, change name
undo, revert, roll back, rollback
restore, recover, bring back, get back
reset, reinitialize, start over
postpone, delay, defer, put off, snooze
allow, permit, authorize
grant, give access
forbid, deny, prohibit, disallow, reject
block, ban, keep out
quarantine, isolate
allowlist, whitelist, safelist
blocklist, denylist, blacklist
revoke, withdraw, take away
impersonate, act as, on behalf
show, display, view
print, output, write out
hide, conceal, make invisible
speed up, optimize, accelerate, make faster, improve performance
limit, restrict, cap, constrain
throttle, rate limit, rate limiting
quota, usage limit
size limit, maximum size, max size, too large
send, deliver, transmit, dispatch
acknowledge, ack
redeliver, resend, retransmit
backpressure, flow control
dead letter, failed message
consumer, subscriber
get, fetch, retrieve, obtain
evict, prune
merge, combine, join, unify
concatenate, append, join together
split, divide, separate, break up
sort, order, arrange, rank
verify, validate, check, confirm
repair, fix, correct
resolve, solve, fix
troubleshoot, diagnose, debug
upgrade, update
downgrade, older version, roll back
modify, change, edit, alter
add, insert, put in
create, make, generate
copy, duplicate, clone
move, relocate, transfer
convert, transform, turn into
serialize, marshal, encode
deserialize, unmarshal, decode
interpolate, substitute
typecast, coerce, type conversion
find, search, look up
replace, substitute, swap
overwrite, replace existing, clobber
ignore, skip, omit
exclude, leave out, omit, filter out
choose, select, pick
deselect, unselect, uncheck, untick
check box, checkbox, tick box, tickbox
save, store, persist
unmount, umount, detach
connect, hook up
disconnect, detach, unlink
set up, setup, configure, configuration
tailor, adjust
initialize, init, bootstrap, initialise
unsubscribe, opt out, cancel subscription
cancel, abort, call off
pause, suspend
resume, continue, unpause
wait, sleep
countdown, timer
stopwatch, timer
warm up, warmup, prewarm
retry, try again, reattempt
recurring, repeating, periodic
schedule, cron, cron job, scheduled task
call, invoke, execute
run, execute, perform
throw, raise
catch, handle, rescue
instantiate, create instance, construct
inherit, extend, subclass, derive
superclass, parent class
compile, build
decompile, disassemble, reverse engineer
rebuild, recompile, build again
bundle, package, pack
minify, uglify
compress, zip, gzip
decompress, unzip, extract, unpack, uncompress
deploy, roll out, deployment, rollout
decommission, teardown, tear down
gradual rollout, canary, staged rollout
publish, release, make public
mock, stub, fake, test double
benchmark, performance test
load test, stress test
coverage, test coverage, code coverage
flaky, intermittent, sporadic
ci, continuous integration
lint, linter, static analysis, code check
format, prettify, beautify
refactor, restructure
monitor, watch, observe
telemetry, usage statistics
metric, measurement
dashboard, control panel
notify, alert, inform
notification, alert, push message
alarm, alert
warn, warning, caution
mute, silence, quiet
verbose, detailed output, verbosity
allocate, reserve, assign
release, deallocate
approve, accept, sign off
decline, reject, refuse, turn down
submit, send in, hand in
reply, respond, answer
tag, label, mark
categorize, classify, category
aggregate, summarize, roll up
calculate, compute, work out
sum, total, add up
maximum, max, largest, upper limit
minimum, min, smallest, lower limit
shuffle, randomize, random order
compare, diff, difference
sync, synchronize, synchronise, synchronization
async, asynchronous, nonblocking
parallel, concurrent, simultaneous, at once
encrypt, encryption, encipher
sanitize, escape, clean input
escape, quote
csrf, xsrf
xss, cross site
mask, redact, hide value, obfuscate
security hole, vulnerability, security issue, cve
zoom in, enlarge, magnify, make bigger
increase, raise, enlarge, bigger
decrease, reduce, lower, smaller, shrink
resize, change size
autoscaling, auto scaling, autoscaler
collapse, fold
truncate, cut off, shorten, trim
click, press, tap
navigate, browse, go to
redirect, forward, reroute
render, draw, paint
inspect, examine, look at
audit log, audit trail, activity log
changelog, release notes, change log
pull request, merge request, pr
check out, checkout
conflict, clash, collision
repository, repo, codebase
folder, directory, dir
subfolder, subdirectory, nested directory
working directory, current directory, cwd, pwd
file name, filename
file extension, suffix, file type
extension, plugin, addon
dependency, package, library, lib
requirement, prerequisite, precondition
symlink, symbolic link, soft link
shortcut, hotkey, keyboard shortcut, key binding, keybinding
hover, mouseover, mouse over
alias, nickname
link, url, hyperlink, web address
website, site, web page, webpage
home page, homepage, landing page, start page
bookmark, favorite, favourite, star
dialog, popup, modal, dialogue
tooltip, hint, hover text
dropdown, select box, combo box, combobox
date picker, datepicker, calendar
form field, input
text box, text field, input field, textbox
menu, nav, navigation
sidebar, side panel, side bar
chart, graph, plot, diagram
spreadsheet, excel, xlsx
slide, presentation
line break, newline, linebreak, new line
whitespace, blank space, white space
picture, image, photo, img
background task, background job, async job
dark mode, dark theme, night mode
font, typeface
transparent, translucent
borderless, frameless
title bar, titlebar
system tray, tray, notification area, taskbar
splash screen, splashscreen
screenshot, screen capture
thumbnail, preview image
developer tools, devtools, web inspector
theme, skin, look
stylesheet, style sheet, css
template, boilerplate, scaffold
ui, gui, user interface, graphical interface
command line, cli, shell, command prompt, console
argument, parameter, arg, param
option, flag, switch
setting, option, preference
configuration, config, setting, conf
config file, configuration file, settings file
environment variable, env var, env
virtual environment, virtualenv, venv
default, preset, standard value
fallback, backup option
placeholder, dummy
variable, var
function, method, func, procedure
callback, handler
middleware, interceptor
lambda, closure, anonymous function
dependency injection, di, ioc, service container
entry point, entrypoint, main function
property, attribute, field
data type, datatype, type
enum, enumeration
string, str
character, char, letter
integer, int, whole number
float, floating point, decimal, double
boolean, bool
array, list
dictionary, map, hash, dict, hashmap
identifier, id, unique id
null, nil, none
empty, blank
loop, iterate, foreach, for each
thread, multithreading
mutex, lock
child process, subprocess
circular, cyclic
infinite loop, endless loop
regex, regular expression, regexp
fuzzy, approximate
full text, fulltext
reindex, rebuild index
indentation, tab size
bracket, brace, parenthesis
wildcard, glob
snippet, code example, sample
example, sample, demo
tutorial, walkthrough, guide
documentation, doc, docs, manual
quickstart, quick start, getting started, first steps
faq, common questions
glossary, terminology
introduction, intro, overview
toc, table contents
compatible, compatibility, interoperable, works with
standard library, stdlib
builtin, built in, preinstalled
unsupported, incompatible, not supported, not compatible
deprecated, obsolete, legacy, outdated
old, legacy, outdated, stale
eol, discontinue, retire, sunset
latest, newest, most recent
version, revision, release
prerelease, pre release
semver, semantic versioning
breaking change, backward incompatible, backwards incompatible
beta, preview, experimental, early access
mistake, error, fault
bug, defect, issue
issue, problem, trouble
error message, error text
exception, error, failure
stack trace, traceback, backtrace, stacktrace, call stack
crash, abort, panic
core dump, crash dump, coredump
fail, break, not work
outage, downtime, unavailable
failover, fail over, switchover
freeze, hang, unresponsive, stuck, lock up
memory leak, leak memory, growing memory
oom, memory exhausted, insufficient memory
disk, drive
hard disk, hard drive, hdd
usb stick, flash drive, thumb drive, usb drive
log, log file, logfile
log level, logging level, verbosity
timeout, time out, timed out
expire, run out, time out, lapse
expiration, expiry, ttl
deadline, due date
time zone, timezone, tz
timestamp, date time, datetime
duration, elapsed
interval, period, frequency
startup time, cold start
fps, frame rate, framerate
timetable, schedule
reservation, booking, appointment
cron expression, crontab
event, trigger
emit, fire, trigger, publish
webhook, http callback
listener, event handler, subscriber
message broker, message queue, message bus
message, msg
task, job
daemon, background process, background service
installer, setup program
task, todo
workflow, pipeline
artifact, build output, artefact
binary, exe
container image, docker image
kubernetes, k8s
virtual machine, vm
host, server
hostname, host name, computer name
firewall, network policy
network interface, nic, network adapter
websocket, web socket
deep link, url scheme, custom protocol
route, url pattern, url mapping
laptop, machine, pc
phone, mobile, smartphone, cell phone
microphone, mic
camera, webcam
audio, sound
voice, audio
subtitle, caption
transcribe, transcription
barcode, qr code
geolocation, gps, current location
app, application, program
operating system, os, platform
processor, cpu
gpu, graphics card, video card, graphics processor
offline, disconnected, no internet
airgapped, air gapped, offline
self hosted, selfhosted, on premise
wifi, wireless
load balancer, load balancing, lb
dns, name resolution, name server, nameserver
bandwidth, throughput, data rate
latency, lag, delay, response time
slow, sluggish, laggy, takes long
fast, quick, rapid, speedy
cache, memoize
invalidate cache, clear cache, purge cache
ssl, tls
certificate, cert, ssl certificate
ca, certificate authority, cert authority
access token, bearer token, auth token
api key, api token, access key
password, passphrase, passcode, credential, secret
credential, secret, login details
vault, secret store, secrets manager
forgot password, reset password, lost password, recover password
authentication, authenticate, auth, authn
authorization, authorize, auth, authz
log in, sign in, login, signin, log on, logon
log out, sign out, logout, signout, log off, logoff
sign up, register, signup, create account, enroll
sso, single signon, single sign, single sign-on
2fa, mfa, two factor, multi factor
otp, totp
permission, privilege, access right
rbac, role based
acl, access control
readonly, read only, write protected
access denied, permission denied
root, superuser
administrator, admin
user, account
guest, anonymous
anonymous, unauthenticated, not authenticated
avatar, profile picture
nickname, display name
room, channel
conversation, chat
attachment, uploaded file
username, user name, login name
member, participant
teammate, coworker, colleague, collaborator
organization, organisation, org
multitenant, multi tenant
developer, dev, programmer, coder
email, mail
mailbox, inbox
spam, junk, junk mail
text message, sms
localization, l10n, translation, localisation
internationalization, i18n, internationalisation, multilingual
accessibility, a11y
encoding, charset, character set
database, db, data store, datastore
datasource, data source
connection string, database url, dsn
orm, object relational
relationship, association
unique, distinct
replica, standby, slave
volume, persistent storage, persistent volume
schema, data model
shard, partition, sharding
backup, snapshot, back up
fixture, test data, sample data
seed, initial data
dataset, data set
object storage, blob storage
serverless, cloud function, faas
production, prod
staging, preproduction
development, dev
sandbox, test environment, playground
private, confidential
personal data, pii, gdpr
anonymize, pseudonymize
compliance, regulation
retention, keep for
hidden, invisible, not visible
visible, shown, displayed
public, exposed, publicly accessible
system wide, systemwide, global
different, distinct, differing
deduplicate, remove duplicates, dedupe, dedup
similar, alike, comparable
wrong, invalid, incorrect, bad
malformed, invalid format
corrupt, damaged, corrupted, broken
missing, absent, not found
not found, 404, nonexistent
unused, not used, unneeded, orphaned
unnecessary, redundant, superfluous, not needed
necessary, required, mandatory, compulsory
automatic, automatically, auto
manual, manually, by hand
temporary, temp, tmp, ephemeral, transient
permanent, persistent, lasting
noninteractive, unattended, headless
runtime, run time, execution time
partial, incomplete
complete, finish, done
pending, waiting, outstanding
progress bar, progress indicator, loading bar
spinner, loading indicator, loader
status, state
health check, healthcheck, liveness probe
heartbeat, keepalive, keep alive
unreachable, unavailable, not reachable
high availability, ha, fault tolerance
simple, easy, straightforward
difficult, complicated, complex
big, large, huge
price, cost, pricing, fee
billing, invoice, bill
refund, money back, reimburse
credit card, payment card, bank card
subscription, membership
free trial, trial period, trial
discount, coupon, promo code, voucher
license, licence, licensing
license key, activation key, product key, serial number
limitation, restriction, known limitation
workaround, temporary fix, work around
patch, hotfix, bug fix, bugfix
feature, capability
feature flag, feature toggle, feature switch
endpoint, api endpoint, api url
payload, request body
query string, query parameter, url parameter
status code, response code, http status
cors, cross origin
pagination, paging, paginate, next page
realtime, live, real time
batch, bulk, mass
exceed, go over, surpass
statistics, stats, analytics
garbage collection, gc, garbage collector
race condition, data race
metadata, meta data, extra information
describe, explain
title, heading, headline
bot, robot, crawler
crawl, scrape, spider
machine learning, ml
llm, language model
finetune, fine tune
ocr, text recognition
tts, text speech
artificial intelligence, ai
stdin, standard input
stdout, standard output
stderr, standard error, error output
exit code, return code, exit status
source code, code, source
uppercase, upper case, capital letter, capitals
lowercase, lower case, small letter
ignore case, case insensitive
autocomplete, autocompletion, completion, code completion, autosuggest, typeahead
syntax highlighting, code coloring, highlight syntax
ide, editor, code editor
spell check, spellcheck, spelling
typo, misspelling
hot reload, live reload, hot reloading, auto reload
lazy load, deferred loading
prefetch, preload
tree shaking, dead code
monorepo, workspace
class path, classpath
checksum, hash, digest
dry run, simulate, simulation
bypass, circumvent, get around, work around
prevent, avoid, keep from
brute force, password guessing
captcha, recaptcha
antivirus, malware, virus
phishing, scam
make sure, ensure, guarantee
depend on, rely on, require
happen, occur, take place
disappear, vanish, go missing
lock file, lockfile
tune, adjust
align, line up, alignment
fullscreen, full screen
slow down, degrade, performance degradation
keep out, restrict access, deny access
free, no cost
info, information, detail
expose, make public
env, environment
doc, document
mirror, replicate, replication
"""


def read_groups() -> Mapping[str, tuple[str, ...]]:
    """Entry → all other entries that share a group with it."""
    others: dict[str, dict[str, None]] = defaultdict(dict)
    for line in GROUPS.strip().splitlines():
        group = line.split(", ")
        for entry in group:
            others[entry] |= dict.fromkeys(other for other in group if other != entry)
    return {entry: tuple(found) for entry, found in others.items()}


THESAURUS = read_groups()


def list_entries(words: str) -> Sequence[str]:
    """The entries that these words (in lower case) are a form of: `remove` for `removing` and `removed`, `env var` for `env vars`."""
    return map_forms().get(words, ())


@lru_cache(maxsize=1)
def map_forms() -> Mapping[str, Sequence[str]]:
    forms: dict[str, list[str]] = defaultdict(list)
    for entry in THESAURUS:
        for form in dict.fromkeys(iter_entry_forms(entry)):
            forms[form].append(entry)
    return forms


def iter_entry_forms(entry: str) -> Iterator[str]:
    first, _, second = entry.partition(" ")
    if not second:
        yield from (first, *iter_regular_forms(first))
    else:
        yield from (f"{form} {second}" for form in (first, *iter_regular_forms(first)))
        yield from (f"{first} {form}" for form in iter_regular_forms(second))
