// What was sent with a form comes back into it where it was not taken: the session had ended, the form was too old, or it was refused elsewhere.
// It is kept in this tab alone, for the same person, for half an hour. Passwords and files are not kept.
"use strict";

const DRAFT = "docsmcp-draft";
const DRAFT_LIFETIME_MS = 30 * 60 * 1000;
const LOGIN = /\/login\/$/;
// docsmcp_site/admin/theme.py puts the person's id behind the address of this script.
const PERSON = new URL(document.currentScript.src).hash;

// Not `form.action`: of a form whose buttons are named so, that is the buttons.
function getAddress(form) {
  return new URL(form.getAttribute("action") || "", location).href;
}

function listPostForms(address) {
  return [...document.forms].filter((form) => form.method === "post" && form.id !== "changelist-form" && getAddress(form) === address);
}

function listTyped(form) {
  return [...form.elements].filter((field) =>
    field.name && !field.readOnly && !["password", "file", "hidden", "submit", "button", "fieldset"].includes(field.type));
}

function getState(field) {
  if (field.type === "select-multiple") return [...field.options].map((option) => option.selected);
  return field.type === "checkbox" || field.type === "radio" ? field.checked : field.value;
}

function setState(field, state) {
  if (field.type === "select-multiple") [...field.options].forEach((option, place) => { option.selected = state[place]; });
  else if (field.type === "checkbox" || field.type === "radio") field.checked = state;
  else field.value = state;
  for (const name of ["input", "change"]) field.dispatchEvent(new Event(name, { bubbles: true }));
}

function keepDraft(event) {
  const form = event.target;
  const place = listPostForms(getAddress(form)).indexOf(form);
  if (place < 0 || event.defaultPrevented || LOGIN.test(location.pathname)) return;
  const fields = listTyped(form).map((field) => [field.name, getState(field)]);
  if (!fields.length) return;
  const draft = { person: PERSON, path: location.pathname, until: Date.now() + DRAFT_LIFETIME_MS, action: getAddress(form), place, fields };
  try { sessionStorage.setItem(DRAFT, JSON.stringify(draft)); } catch { /* There is no room: then nothing comes back. */ }
}

// A page that was reached from the form's own is its answer; after signing in, going back or opening the page anew nothing was taken.
function isTaken(draft) {
  if (draft.person !== PERSON || draft.path !== location.pathname || draft.until < Date.now()) return true;
  if (document.querySelector("[data-refused]")) return false;
  const cameFrom = document.referrer && new URL(document.referrer).pathname;
  return performance.getEntriesByType("navigation")[0]?.type === "navigate" && cameFrom === draft.path;
}

// Rows of a table that were added to the page, as its own button adds them: until there is one of this name.
function addRows(form, names) {
  for (const name of names) {
    const prefix = name.match(/^(.+)-\d+-[^-]+$/)?.[1];
    const button = prefix && document.getElementById(`${prefix}-group`)?.querySelector(".add-row");
    for (let size = -1; button && !form.elements[name] && size !== form.elements.length;) {
      size = form.elements.length;
      button.click();
    }
  }
}

function bringBack(draft) {
  const form = listPostForms(draft.action)[draft.place];
  if (!form) return;
  addRows(form, draft.fields.map(([name]) => name));
  const left = new Map();
  for (const [name, state] of draft.fields) left.set(name, [...(left.get(name) || []), state]);
  for (const field of listTyped(form)) {
    if (left.get(field.name)?.length) setState(field, left.get(field.name).shift());
  }
  for (let place = form.parentElement; place; place = place.parentElement) if (place.tagName === "DETAILS") place.open = true;
  const note = document.createElement("p");
  note.className = "dm-restored";
  note.setAttribute("role", "status");
  note.textContent = "It was not taken. What you had filled in is here again: look it over and send it once more.";
  form.prepend(note);
}

document.addEventListener("submit", keepDraft);
document.addEventListener("DOMContentLoaded", () => {
  const kept = sessionStorage.getItem(DRAFT);
  if (!kept || LOGIN.test(location.pathname)) return;
  sessionStorage.removeItem(DRAFT);
  const draft = JSON.parse(kept);
  // The theme's script makes its buttons work when all is loaded; it asked for that before.
  if (!isTaken(draft)) addEventListener("load", () => bringBack(draft));
});
