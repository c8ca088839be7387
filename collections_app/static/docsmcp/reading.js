// What makes pages quicker to use: search while typing, copy buttons, the theme. Every page works without it.
"use strict";

const find = (selector, root = document) => root.querySelector(selector);
const findAll = (selector, root = document) => [...root.querySelectorAll(selector)];

// ── Theme: system, light, dark in turn ────────────────────────────────────────────────────────────────────────────────────────

function setUpTheme() {
  const button = find("[data-theme-toggle]");
  if (!button) return;
  const root = document.documentElement;
  const order = ["system", "light", "dark"];
  const show = () => {
    find("[data-theme-label]", button).textContent = `Theme: ${root.dataset.theme ?? "system"}. Change it`;
    button.title = `Theme: ${root.dataset.theme ?? "system"}`;
  };
  button.addEventListener("click", () => {
    const next = order[(order.indexOf(root.dataset.theme ?? "system") + 1) % order.length];
    if (next === "system") delete root.dataset.theme;
    else root.dataset.theme = next;
    try {
      if (next === "system") localStorage.removeItem("docsmcp-theme");
      else localStorage.setItem("docsmcp-theme", next);
    } catch {
      // Not remembered, then.
    }
    show();
  });
  show();
  button.hidden = false;
}

// ── Copy ──────────────────────────────────────────────────────────────────────────────────────────────────────────────────────

async function copy(text, button) {
  const label = button.textContent;
  try {
    await navigator.clipboard.writeText(text);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Press Ctrl+C";
    selectText(text, button);
  }
  setTimeout(() => { button.textContent = label; }, 2000);
}

// Where the clipboard is out of reach (plain HTTP), the text is at least selected.
function selectText(text, button) {
  const code = find("code", button.closest(".code") ?? document.createElement("p"));
  if (code) getSelection().selectAllChildren(code);
  else prompt("Copy this:", text);
}

function setUpCopying() {
  for (const button of findAll("button[data-copy]")) {
    button.hidden = false;
    button.addEventListener("click", () => copy(button.dataset.copy, button));
  }
  for (const block of findAll(".code")) {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "copy";
    button.textContent = "Copy";
    button.addEventListener("click", () => copy(find("code", block).textContent.replace(/\n$/, ""), button));
    block.append(button);
  }
}

// ── Wide code and tables can be scrolled by keyboard ──────────────────────────────────────────────────────────────────────────

function setUpScrolling() {
  for (const box of findAll("pre, .table")) {
    if (box.scrollWidth <= box.clientWidth) continue;
    box.tabIndex = 0;
    box.setAttribute("role", "group");
    box.setAttribute("aria-label", box.matches("pre") ? "Code" : "Table");
  }
}

// ── Navigation: folded on phones; the contents follow the text ────────────────────────────────────────────────────────────────

function setUpNavigation() {
  const fold = find("[data-fold]");
  if (fold && matchMedia("(max-width: 60rem)").matches) fold.open = false;
  const side = find(".side.left");
  const here = side && find("[aria-current]", side);
  if (here) side.scrollTop = here.offsetTop - side.clientHeight / 2;
  const links = new Map(findAll("[data-toc] a").map((link) => [decodeURIComponent(link.hash.slice(1)), link]));
  const headings = [...links.keys()].map((id) => document.getElementById(id)).filter(Boolean);
  if (!headings.length) return;
  const mark = () => {
    const passed = headings.filter((heading) => heading.getBoundingClientRect().top < 120);
    const current = links.get((passed.at(-1) ?? headings[0]).id);
    for (const link of links.values()) link.classList.toggle("current", link === current);
  };
  let isWaiting = false;
  addEventListener("scroll", () => {
    if (isWaiting) return;
    isWaiting = true;
    requestAnimationFrame(() => { isWaiting = false; mark(); });
  }, { passive: true });
  mark();
}

// A long document has several pages; the server knows on which of them a section is.
function followFragment() {
  const article = find("article[data-pages]");
  const id = decodeURIComponent(location.hash.slice(1));
  if (!article || article.dataset.pages === "1" || !id || document.getElementById(id)) return;
  location.replace(`${location.pathname}?at=${encodeURIComponent(id)}`);
}

// ── Search while typing ───────────────────────────────────────────────────────────────────────────────────────────────────────

const WAIT_MS = 180;

class Search {
  constructor(form) {
    this.form = form;
    this.input = find("input", form);
    this.box = find(".suggestions", form);
    this.status = find("[data-search-status]", form);
    this.current = -1;
    this.asked = "";
    this.input.setAttribute("role", "combobox");
    this.input.setAttribute("aria-expanded", "false");
    this.input.setAttribute("aria-autocomplete", "list");
    this.input.setAttribute("aria-controls", this.box.id);
    this.input.addEventListener("input", () => this.wait());
    this.input.addEventListener("focus", () => this.options.length && this.open());
    this.input.addEventListener("keydown", (event) => this.press(event));
    document.addEventListener("pointerdown", (event) => form.contains(event.target) || this.close());
    form.addEventListener("focusout", (event) => form.contains(event.relatedTarget) || this.close());
    document.addEventListener("keydown", (event) => this.focus(event));
  }

  get options() {
    return findAll("[role=option]", this.box);
  }

  focus(event) {
    const isTyping = event.target.matches("input, textarea, select, [contenteditable]");
    if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    this.input.focus();
    this.input.select();
  }

  wait() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.ask(), WAIT_MS);
  }

  async ask() {
    const query = this.input.value.trim();
    this.running?.abort();
    if (query.length < 2) {
      this.box.replaceChildren();
      this.close();
      return;
    }
    this.running = new AbortController();
    try {
      const address = `${this.form.action}?part=results&q=${encodeURIComponent(query)}`;
      const answer = await fetch(address, { signal: this.running.signal, credentials: "same-origin" });
      if (answer.ok) this.show(await answer.text(), "");
      else if (answer.status === 429) this.show(null, "Too many searches: wait a moment, or press Enter later");
      else if (answer.status === 503) this.show(null, "The search is away for a moment: try again soon");
      else this.show(null, "The search failed: load the page again");
    } catch (error) {
      if (error.name !== "AbortError") this.show(null, "The server does not answer");
    }
  }

  // The fragment is the server's own, escaped there.
  show(html, message) {
    if (html === null) this.box.replaceChildren(Object.assign(document.createElement("p"), { className: "note", textContent: message }));
    else this.box.innerHTML = html;
    this.current = -1;
    this.input.removeAttribute("aria-activedescendant");
    if (this.options.length) this.input.setAttribute("aria-controls", "_options");
    this.status.textContent = message || `${this.options.length} sections found`;
    this.open();
  }

  open() {
    this.box.hidden = !this.box.childElementCount;
    this.input.setAttribute("aria-expanded", String(!this.box.hidden && this.options.length > 0));
  }

  close() {
    this.box.hidden = true;
    this.input.setAttribute("aria-expanded", "false");
  }

  press(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape") {
      this.close();
    } else if (step && this.options.length) {
      event.preventDefault();
      this.open();
      this.choose(this.current + step);
    } else if (event.key === "Enter" && this.current >= 0 && !this.box.hidden) {
      event.preventDefault();
      this.options[this.current].click();
      this.close();
    }
  }

  choose(index) {
    const options = this.options;
    // One place beside the options is the input itself.
    this.current = index < -1 ? options.length - 1 : index >= options.length ? -1 : index;
    options.forEach((option, at) => option.setAttribute("aria-selected", String(at === this.current)));
    if (this.current < 0) {
      this.input.removeAttribute("aria-activedescendant");
      return;
    }
    this.input.setAttribute("aria-activedescendant", options[this.current].id);
    options[this.current].scrollIntoView({ block: "nearest" });
  }
}

setUpTheme();
setUpCopying();
setUpScrolling();
setUpNavigation();
followFragment();
addEventListener("hashchange", followFragment);
for (const form of findAll("[data-search]")) new Search(form);
