const tabs = () => [...document.querySelectorAll<HTMLButtonElement>("[role=tab]")]

const show = (tab: HTMLButtonElement, isShown: boolean) => {
  tab.setAttribute("aria-selected", String(isShown))
  tab.tabIndex = isShown ? 0 : -1
  const panel = document.getElementById(tab.getAttribute("aria-controls") ?? "")
  if (panel !== null) panel.hidden = !isShown
}

// All blocks of the site show the chosen language, if they have it.
const choose = (language: string | undefined) => {
  for (const list of document.querySelectorAll("[role=tablist]")) {
    const own = [...list.querySelectorAll<HTMLButtonElement>("[role=tab]")]
    if (own.some((tab) => tab.dataset["language"] === language)) {
      for (const tab of own) show(tab, tab.dataset["language"] === language)
    }
  }
  try {
    localStorage.setItem("docs-language", language ?? "")
  } catch {}
}

/** Lets the tabs of code blocks choose the language of all of them, with the keys of a list of tabs. */
export const languageTabs = (): void => {
  try {
    choose(localStorage.getItem("docs-language") ?? undefined)
  } catch {}
  for (const tab of tabs()) {
    tab.addEventListener("click", () => {
      const before = tab.getBoundingClientRect().top
      choose(tab.dataset["language"])
      // Blocks above may have another height now.
      scrollBy(0, tab.getBoundingClientRect().top - before)
    })
    tab.addEventListener("keydown", (event) => {
      const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0
      if (step === 0) return
      const own = [...(tab.parentElement?.querySelectorAll<HTMLButtonElement>("[role=tab]") ?? [])]
      const next = own[(own.indexOf(tab) + step + own.length) % own.length]
      next?.focus()
      next?.click()
    })
  }
}
