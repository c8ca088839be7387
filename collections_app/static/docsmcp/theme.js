// Before anything is painted: the theme that was chosen last. Without a choice, the system's.
(() => {
  try {
    const theme = localStorage.getItem("docsmcp-theme");
    if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
  } catch {
    // Storage may be forbidden; then the system decides.
  }
})();
