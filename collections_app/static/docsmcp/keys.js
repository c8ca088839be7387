// Copies a block of text, and takes the address of a form that was sent out of the browser's history: a reload shows the key, not its secret.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const block = document.getElementById(button.dataset.copy);
  const status = document.getElementById("dk-status");
  const isCopied = await copy(block);
  if (status) status.textContent = isCopied ? `Copied: ${button.dataset.what}` : "Press Ctrl+C to copy the marked text.";
  if (isCopied) {
    button.textContent = "Copied";
    setTimeout(() => { button.textContent = "Copy"; }, 2000);
  }
});

document.addEventListener("DOMContentLoaded", () => {
  const settled = document.querySelector("[data-settle]");
  if (settled) history.replaceState(null, "", settled.dataset.settle);
});

// Without TLS a browser lets no page write to the clipboard by itself, except on this machine.
async function copy(block) {
  try {
    await navigator.clipboard.writeText(block.textContent);
    return true;
  } catch {
    getSelection().selectAllChildren(block);
    return document.execCommand("copy");
  }
}
