/** Lets the buttons of code blocks copy the code that is shown, and say so. */
export const copyButtons = (): void => {
  const status = document.createElement("div")
  status.className = "hidden"
  status.setAttribute("role", "status")
  document.body.append(status)
  for (const button of document.querySelectorAll<HTMLButtonElement>("[data-copy]")) {
    button.addEventListener("click", async () => {
      const block = button.closest(".code")
      const shown = block?.querySelector("[role=tabpanel]:not([hidden]) code") ?? block?.querySelector("code")
      await navigator.clipboard.writeText(shown?.textContent ?? "")
      button.textContent = "Copied"
      status.textContent = "Copied"
      setTimeout(() => {
        button.textContent = "Copy"
        status.textContent = ""
      }, 1500)
    })
  }
}
