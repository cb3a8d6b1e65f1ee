import { useEffect, useEffectEvent } from "react"

/** A key of a screen. */
export interface ScreenKey {
  /** The values of `KeyboardEvent.key` that it answers to. */
  readonly keys: readonly [string, ...ReadonlyArray<string>]
  /** What it does, for the list of the screen's keys. */
  readonly does: string
  readonly run: () => void
}

// Where a person types or chooses, letters and arrows have another meaning.
const otherUse = "input:not([type=checkbox]), textarea, select, [contenteditable=true], [role=dialog], [role=listbox]"

/** Answers to the keys of a screen, unless they are typed into a field or pressed in a dialog. */
export const useKeys = (keys: ReadonlyArray<ScreenKey>): void => {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.target instanceof Element && event.target.closest(otherUse) !== null) return
    const pressed = keys.find((key) => key.keys.includes(event.key))
    if (pressed === undefined) return
    event.preventDefault()
    pressed.run()
  })
  useEffect(() => {
    document.addEventListener("keydown", press)
    return () => document.removeEventListener("keydown", press)
  }, [])
}
