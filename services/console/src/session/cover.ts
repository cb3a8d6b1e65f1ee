import { useSyncExternalStore } from "react"

/** `OPEN`: the page is shown. `ASKED`, `UNANSWERED`: it is hidden until the server has said that the session goes on. */
type Cover = "OPEN" | "ASKED" | "UNANSWERED"

const listeners = new Set<() => void>()
let current: Cover = "OPEN"
let focused: Element | null = null

const change = (next: Cover) => {
  current = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const isCovered = (): boolean => current !== "OPEN"

/** Hides all that the page shows, at once. */
export const cover = (): void => {
  if (!isCovered()) focused = document.activeElement
  document.body.style.visibility = "hidden"
  change("ASKED")
}

/** Says that the server did not answer, if the page is hidden. */
export const stayCovered = (): void => {
  if (isCovered()) change("UNANSWERED")
}

/** Shows the page again where it was, unless nobody can see it. */
export const reveal = (): void => {
  if (!isCovered() || document.visibilityState === "hidden") return
  document.body.style.visibility = ""
  change("OPEN")
  if (focused instanceof HTMLElement) focused.focus({ preventScroll: true })
}

export const useCover = (): Cover => useSyncExternalStore(subscribe, () => current)
