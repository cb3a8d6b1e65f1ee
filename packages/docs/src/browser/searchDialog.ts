import type { SearchResult } from "minisearch"

const kinds: Readonly<Record<string, string>> = {
  guide: "Guide",
  operation: "Operation",
  event: "Event",
  operator: "For operators"
}

const element = <K extends keyof HTMLElementTagNameMap>(name: K, attributes: Record<string, string>, text = "") => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value)
  made.textContent = text
  return made
}

/** Opens a search over all pages and operations with `/`, Ctrl-K or the button. Its index is loaded when it is first opened. */
export const searchDialog = (): void => {
  const dialog = element("dialog", { class: "search", "aria-label": "Search the documentation" })
  const input = element("input", {
    type: "search",
    role: "combobox",
    "aria-label": "Search",
    "aria-controls": "results",
    "aria-expanded": "false",
    "aria-autocomplete": "list",
    placeholder: "Search guides and operations",
    autocomplete: "off",
    spellcheck: "false",
    maxlength: "100"
  })
  const results = element("ul", { id: "results", role: "listbox", "aria-label": "Results" })
  const status = element("p", { role: "status" })
  dialog.append(input, results, status)
  document.body.append(dialog)

  let find: ((words: string) => ReadonlyArray<SearchResult>) | undefined
  let active = 0

  const options = () => [...results.querySelectorAll<HTMLElement>("[role=option]")]
  const activate = (index: number) => {
    const all = options()
    active = all.length === 0 ? 0 : (index + all.length) % all.length
    all.forEach((option, at) => {
      option.setAttribute("aria-selected", String(at === active))
      if (at === active) option.scrollIntoView({ block: "nearest" })
    })
    const { id } = all[active] ?? { id: "" }
    if (id === "") input.removeAttribute("aria-activedescendant")
    else input.setAttribute("aria-activedescendant", id)
  }
  const follow = () => {
    const address = options()[active]?.dataset["address"]
    if (address === undefined) return
    dialog.close()
    location.assign(address)
  }
  const show = () => {
    const words = input.value.trim()
    const found = words === "" || find === undefined ? [] : find(words)
    results.replaceChildren(
      ...found.map((each, index) => {
        const option = element("li", { role: "option", id: `result-${index}`, "data-address": String(each.id) })
        const place = `${kinds[each["kind"]] ?? ""} · ${each["place"]}`
        option.append(element("strong", {}, each["title"]), element("span", {}, place))
        option.addEventListener("click", () => {
          active = index
          follow()
        })
        return option
      })
    )
    input.setAttribute("aria-expanded", String(found.length > 0))
    const count = found.length === 1 ? "1 result" : `${found.length} results`
    status.textContent =
      words === ""
        ? "Type a word, a path or an error."
        : find === undefined
          ? "Loading"
          : found.length === 0
            ? "Nothing is found. Try another word, a path or the code of an error."
            : count
    activate(0)
  }
  const open = async () => {
    if (dialog.open) return
    dialog.showModal()
    input.select()
    show()
    if (find !== undefined) return
    try {
      const { readSearch } = await import("./findWords.ts")
      find = await readSearch(document.body.dataset["search"] ?? "")
      show()
    } catch {
      status.textContent = "The search could not be loaded. Close it, and try again."
    }
  }
  input.addEventListener("input", show)
  input.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") activate(active + 1)
    else if (event.key === "ArrowUp") activate(active - 1)
    else if (event.key === "Enter") follow()
    else return
    event.preventDefault()
  })
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close()
  })
  document.querySelector("button.find")?.addEventListener("click", open)
  document.addEventListener(
    "keydown",
    (event) => {
      const isTyping =
        event.target instanceof Element && event.target.closest("input, textarea, select, [contenteditable]")
      const isShortcut = event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey)
      if (!isShortcut && (event.key !== "/" || isTyping !== null || event.ctrlKey || event.metaKey)) return
      event.preventDefault()
      event.stopPropagation()
      void open()
    },
    true
  )
}
