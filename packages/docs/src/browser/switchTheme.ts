const system = matchMedia("(prefers-color-scheme: dark)")

/** Whether the page is shown dark now. */
export const isDark = (): boolean => {
  const { theme } = document.documentElement.dataset
  return theme === undefined ? system.matches : theme === "dark"
}

/** Lets the button of the header switch between light and dark. `changed` gets the new mode. */
export const switchTheme = (changed: (isDark: boolean) => void = () => {}): void => {
  const button = document.querySelector<HTMLButtonElement>("button.theme")
  const show = () => {
    button?.setAttribute("aria-pressed", String(isDark()))
    changed(isDark())
  }
  button?.addEventListener("click", () => {
    const theme = isDark() ? "light" : "dark"
    document.documentElement.dataset["theme"] = theme
    try {
      localStorage.setItem("docs-theme", theme)
    } catch {}
    show()
  })
  system.addEventListener("change", show)
  show()
}
