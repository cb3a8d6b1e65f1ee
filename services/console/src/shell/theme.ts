const key = "care-theme"
const prefersDark = matchMedia("(prefers-color-scheme: dark)")

export type Theme = "system" | "light" | "dark"
export const themes: ReadonlyArray<Theme> = ["system", "light", "dark"]

/** Returns the theme that the person chose on this device. */
export const chosenTheme = (): Theme => themes.find((theme) => theme === localStorage.getItem(key)) ?? "system"

const apply = () => {
  const theme = chosenTheme()
  document.documentElement.dataset["theme"] = theme === "system" ? (prefersDark.matches ? "dark" : "light") : theme
}

export const chooseTheme = (theme: Theme): void => {
  localStorage.setItem(key, theme)
  apply()
}

/** Shows the chosen theme, and follows the system's. */
export const followTheme = (): void => {
  apply()
  prefersDark.addEventListener("change", apply)
}
