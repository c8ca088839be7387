// Uploads with the progress of each file, and what a screen reader is told of a job. Pages work without it.
"use strict";

// ---- Files: one request takes as many as the server takes at once; how far each is follows from the bytes sent.

const SHOWN_ROWS = 500;
const BYTES_BESIDE_A_FILE = 2048; // names and boundaries of the form

function startUploads(form) {
  const files = new Map(); // path → File, of those that the server has not judged yet
  const rows = new Map(); // path → its row, of the same
  let isSending = false;
  let gathering = Promise.resolve(); // what was dropped last
  const list = form.querySelector("#upload-files");
  const status = form.querySelector("#upload-status");
  const input = form.querySelector("#file");
  const folderInput = form.querySelector("#folder-files");
  const drop = form.querySelector("#drop");
  const send = form.querySelector("#send");
  const maxBytes = Number(form.dataset.maxBytes);
  const maxFiles = Number(form.dataset.maxFiles);

  // The theme looks for a text field beside each file field.
  input.hasChangeListener = folderInput.hasChangeListener = true;
  form.classList.add("dm-scripted");
  form.querySelectorAll(".dm-script-only").forEach((element) => (element.hidden = false));

  input.addEventListener("change", () => { addFiles(input.files); input.value = ""; });
  folderInput.addEventListener("change", () => { addFiles(folderInput.files); folderInput.value = ""; });
  for (const name of ["dragenter", "dragover"]) {
    drop.addEventListener(name, (event) => { event.preventDefault(); drop.classList.add("dm-over"); });
  }
  for (const name of ["dragleave", "drop"]) drop.addEventListener(name, () => drop.classList.remove("dm-over"));
  drop.addEventListener("drop", (event) => {
    event.preventDefault();
    const entries = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry && item.webkitGetAsEntry()).filter(Boolean);
    if (!entries.length) return addFiles(event.dataTransfer.files);
    const before = gathering;
    gathering = (async () => { await before; await addEntries(entries); })();
  });
  form.addEventListener("submit", (event) => { event.preventDefault(); sendAll(); });

  function addFiles(chosen) {
    for (const file of chosen) addFile(file.webkitRelativePath || file.name, file);
    tellChosen();
  }

  async function addEntries(entries) {
    let unread = "";
    for (const entry of entries) {
      try { await addEntry(entry); } catch { unread = ` ${entry.name} could not be read whole.`; }
    }
    tellChosen();
    status.append(unread);
  }

  // A dropped folder gives its entries a hundred at a time.
  async function addEntry(entry) {
    if (entry.isFile) {
      const file = await new Promise((resolve, reject) => entry.file(resolve, reject));
      return addFile(entry.fullPath.replace(/^\//, ""), file);
    }
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
      if (!some.length) return;
      for (const each of some) await addEntry(each);
    }
  }

  // Two files of a name that come from different folders are one path: the later one is meant.
  function addFile(path, file) {
    const other = files.get(path);
    files.set(path, file);
    const row = rows.get(path);
    if (!row && rows.size < SHOWN_ROWS) rows.set(path, makeRow(path, file));
    if (!row || (other.size === file.size && other.lastModified === file.lastModified)) return;
    row.state.textContent = `${formatSize(file.size)}, in place of the other file of this name`;
  }

  function makeRow(path, file) {
    const item = document.createElement("li");
    const name = document.createElement("span");
    const state = document.createElement("span");
    const progress = document.createElement("progress");
    name.className = "dm-name";
    name.textContent = path;
    state.className = "dm-quiet";
    state.textContent = formatSize(file.size);
    progress.max = 1;
    progress.value = 0;
    progress.setAttribute("aria-label", path);
    item.append(name, state, progress);
    list.append(item);
    return { item, state, progress };
  }

  function tellChosen() {
    if (isSending) { status.textContent = `Sending ${count(files.size, "file")}…`; return; }
    const more = files.size - rows.size;
    status.textContent = `${count(files.size, "file")} chosen${more > 0 ? `, ${more.toLocaleString()} of them not listed` : ""}.`;
    nameButton();
  }

  function nameButton() {
    send.textContent = files.size ? `Add ${count(files.size, "file")}` : "Add them";
  }

  // As many of the files as one request takes.
  function takeBatch() {
    const batch = [];
    let bytes = 0;
    for (const [path, file] of files) {
      const size = file.size + BYTES_BESIDE_A_FILE;
      if (batch.length && (batch.length >= maxFiles || bytes + size > maxBytes)) break;
      batch.push([path, file]);
      bytes += size;
    }
    return batch;
  }

  // What is chosen meanwhile is sent too; what the server did not judge stays chosen.
  async function sendAll() {
    if (isSending) return;
    await gathering;
    if (!files.size) { status.textContent = "Choose at least one file first."; input.focus(); return; }
    isSending = send.disabled = true;
    const urls = new Set();
    let accepted = 0, refused = 0, failure = "";
    while (files.size && !failure) {
      tellChosen();
      const batch = takeBatch();
      const answer = await sendBatch(batch);
      if (answer.url) urls.add(answer.url);
      if (answer.error && !answer.files.length) failure = answer.error;
      else batch.forEach(([path, file], place) => { settle(path, file, answer, place) ? accepted++ : refused++; });
      await gathering;
    }
    isSending = send.disabled = false;
    // What comes while a job runs is another one's.
    const url = urls.size > 1 ? form.dataset.jobsUrl : [...urls][0] || "";
    if (url && !refused && !failure) { location.assign(url); return; }
    tellEnd(url, accepted, refused, failure);
  }

  function tellEnd(url, accepted, refused, failure) {
    status.textContent = "";
    const parts = [];
    if (accepted) parts.push(`${count(accepted, "file")} taken.`);
    if (refused) parts.push(`${count(refused, "file")} not taken: the reason stands below each.`);
    if (failure) parts.push(`${count(files.size, "file")} not sent. ${failure}`);
    status.append(`${parts.join(" ")} `);
    if (url) {
      const link = document.createElement("a");
      link.href = url;
      link.textContent = "See how they are read";
      status.append(link);
    }
    for (const row of rows.values()) row.progress.value = 0;
    nameButton();
  }

  function sendBatch(batch) {
    const [[path, file]] = batch;
    if (file.size + BYTES_BESIDE_A_FILE > maxBytes) {
      return { files: [{ path, accepted: false, reason: `It is larger than ${formatSize(maxBytes)}. Split it.` }] };
    }
    const body = new FormData();
    body.append("csrfmiddlewaretoken", form.querySelector("[name=csrfmiddlewaretoken]").value);
    body.append("folder", form.querySelector("#folder").value);
    for (const [path, file] of batch) { body.append("file", file, file.name); body.append("path", path); }
    return new Promise((resolve) => {
      const request = new XMLHttpRequest();
      request.open("POST", location.pathname);
      request.setRequestHeader("Accept", "application/json");
      request.upload.addEventListener("progress", (event) => showProgress(batch, event.loaded));
      request.addEventListener("load", () => resolve(takeAnswer(batch, request)));
      request.addEventListener("error", () => resolve({ files: [], error: "The server could not be reached. Try again: what was not sent is still chosen." }));
      request.send(body);
    });
  }

  function showProgress(batch, loaded) {
    for (const [path, file] of batch) {
      const row = rows.get(path);
      const size = file.size + 1;
      if (row) row.progress.value = Math.max(0, Math.min(1, loaded / size));
      loaded -= size;
      if (loaded <= 0) return;
    }
  }

  // Files are answered in the order in which they were sent. A refusal that is no view's, as of a page that is gone, is an object.
  function takeAnswer(batch, request) {
    let answer;
    try { answer = JSON.parse(request.responseText); } catch { answer = { error: explain(request.status) }; }
    if (answer.error && answer.error.message) answer.error = request.status === 404 ? explain(404) : answer.error.message;
    answer.files = answer.files || [];
    if (request.status === 400 && answer.error && !answer.files.length && batch.length === 1) {
      answer.files = [{ path: batch[0][0], accepted: false, reason: answer.error }];
    }
    return answer;
  }

  // Whether it was taken. Where another file was chosen for its path meanwhile, the row is of that one.
  function settle(path, file, answer, place) {
    const { accepted, reason } = answer.files[place] || { accepted: false, reason: answer.error };
    if (files.get(path) !== file) return accepted;
    const row = rows.get(path) || (accepted ? null : makeRow(path, file));
    files.delete(path);
    rows.delete(path);
    if (row) accepted ? tellAccepted(row) : tellRefused(row, reason);
    return accepted;
  }

  function tellAccepted(row) {
    row.progress.value = 1;
    row.state.textContent = "taken";
  }

  function tellRefused(row, reason) {
    row.state.textContent = "not taken";
    row.progress.remove();
    const why = document.createElement("span");
    why.className = "dm-why";
    why.append(...markCode(reason));
    row.item.append(why);
  }
}

// The parts of a text, with what is in backticks as code.
function markCode(text) {
  return text.split(/`([^`\n]+)`/).map((part, number) => {
    if (number % 2 === 0) return part;
    const code = document.createElement("code");
    code.textContent = part;
    return code;
  });
}

function explain(status) {
  if (status < 400) return "You are signed out. Load this page anew, and choose the files again.";
  if (status === 403) return "This page is too old, or you may not add here. Load it anew and try again.";
  if (status === 404) return "This collection is not there any more. Choose another one under Add documents.";
  if (status === 413) return "That is too much at once. Send fewer files.";
  return `The server refused this (${status}). Try again, or ask its operator.`;
}

function count(number, word) {
  return `${number.toLocaleString()} ${word}${number === 1 ? "" : "s"}`;
}

function formatSize(bytes) {
  if (bytes < 1024) return `${bytes} B`;
  if (bytes < 1024 * 1024) return `${(bytes / 1024).toFixed(1)} KB`;
  return `${(bytes / 1024 / 1024).toFixed(1)} MB`;
}

// ---- Parts that are swapped, a job's progress each second: what has changed is announced, and nothing else.

function announce() {
  const target = document.getElementById("announcement");
  const part = document.querySelector("[data-announce]");
  if (target && part && target.textContent !== part.dataset.announce) target.textContent = part.dataset.announce;
}

// The list of files stays while somebody reads it with the keyboard; a button that has the focus keeps its place.
function keepFocused(event) {
  const element = event.detail.elt;
  if (element.id === "job-files" && element.contains(document.activeElement)) event.preventDefault();
}

// A button that is taken away between press and release would not have been clicked: the next second shows what this one would have.
function keepPressed(event) {
  if (event.detail.target.matches(":active")) event.preventDefault();
}

// A part that is asked for after the session has ended would be the page to sign in.
function leaveWhenSignedOut(event) {
  if (!new URL(event.detail.xhr.responseURL, location).pathname.endsWith("/login/")) return;
  event.preventDefault();
  location.reload();
}

document.addEventListener("DOMContentLoaded", () => {
  const form = document.getElementById("upload");
  if (form) startUploads(form);
  announce();
});
document.addEventListener("htmx:afterSwap", announce);
document.addEventListener("htmx:beforeRequest", keepFocused);
document.addEventListener("htmx:beforeSwap", leaveWhenSignedOut);
document.addEventListener("htmx:beforeSwap", keepPressed);
