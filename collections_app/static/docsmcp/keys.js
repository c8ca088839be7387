// Takes the address of a form that was sent out of the browser's history: a reload shows the key, not its secret.
"use strict";

document.addEventListener("DOMContentLoaded", () => {
  const settled = document.querySelector("[data-settle]");
  if (settled) history.replaceState(null, "", settled.dataset.settle);
});
