// Says that a question is on its way: an answer of a language model may take many seconds.
"use strict";

document.getElementById("playground").addEventListener("submit", () => {
  document.getElementById("playground-status").textContent = "Asking…";
});
