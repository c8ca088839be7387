// What the theme lets only a mouse do, the keyboard does too: the account's menu, the sidebar, the colours, a list's filters; and a way past the menu.
"use strict";

const CLICKED = { // what stands in x-on:click → what a screen reader calls it; "" where it has a text
  openUserLinks: "Account",
  sidebarDesktopOpen: "Show or hide the menu",
  sidebarMobileOpen: "Show or hide the menu",
  "switchTheme('light')": "Light colours",
  "switchTheme('dark')": "Dark colours",
  "switchTheme('auto')": "Colours as the system has them",
  "filterOpen = true": "",
};

function openByKeyboard(element) {
  const does = element.getAttribute("x-on:click");
  const found = Object.keys(CLICKED).find((name) => does.includes(name));
  if (found === undefined) return;
  element.tabIndex = 0;
  element.setAttribute("role", "button");
  if (CLICKED[found]) element.setAttribute("aria-label", CLICKED[found]);
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    element.click();
    // What opens stands before it, or at the end of the page.
    const opened = found === "openUserLinks" ? element.parentElement.querySelector("nav a") : found.startsWith("filter") && document.querySelector("#changelist-filter a");
    if (opened) setTimeout(() => opened.focus());
  });
}

function leadPastTheMenu() {
  const content = document.getElementById("content");
  if (!content) return;
  const link = document.createElement("a");
  link.className = "dm-skip";
  link.href = "#content";
  link.textContent = "Skip the menu";
  content.tabIndex = -1;
  link.addEventListener("click", (event) => { event.preventDefault(); content.focus(); });
  document.body.prepend(link);
}

document.addEventListener("DOMContentLoaded", () => {
  document.querySelectorAll("[x-on\\:click]:not(button, input, label, a[href])").forEach(openByKeyboard);
  leadPastTheMenu();
});
