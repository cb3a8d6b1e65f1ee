// Runs before the page is drawn, so that a chosen mode does not flash. Storage may be forbidden.
try {
  const chosen = localStorage.getItem("docs-theme")
  if (chosen === "dark" || chosen === "light") document.documentElement.dataset["theme"] = chosen
} catch {}
