// Copies the text of the element, or what is in the field, that a button names.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (!button) return;
  const label = button.textContent;
  const isCopied = await copy(document.getElementById(button.dataset.copy));
  button.textContent = isCopied ? "Copied" : "Press Ctrl+C";
  const status = document.getElementById("announcement");
  if (status) status.textContent = isCopied ? `Copied: ${button.dataset.what}` : "Press Ctrl+C to copy the marked text.";
  setTimeout(() => { button.textContent = label; }, 2000);
});

// Without TLS a browser lets no page write to the clipboard by itself, except on this machine.
async function copy(block) {
  try {
    await navigator.clipboard.writeText(block.value ?? block.textContent);
    return true;
  } catch {
    if (block.select) block.select();
    else getSelection().selectAllChildren(block);
    return document.execCommand("copy");
  }
}
