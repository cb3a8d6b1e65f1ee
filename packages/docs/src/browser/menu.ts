/** Lets the button of narrow windows show the navigation. */
export const menu = (): void => {
  const button = document.querySelector<HTMLButtonElement>("button.menu")
  const navigation = document.getElementById("navigation")
  if (button === null) return
  if (navigation === null) {
    button.remove()
    return
  }
  const show = (isOpen: boolean) => {
    button.setAttribute("aria-expanded", String(isOpen))
    navigation.classList.toggle("open", isOpen)
  }
  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"))
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || button.getAttribute("aria-expanded") !== "true") return
    show(false)
    button.focus()
  })
  navigation.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" })
}
