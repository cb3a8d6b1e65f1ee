import { useEffect } from "react"

/** A key of a screen. */
export interface ScreenKey {
  /** The values of `KeyboardEvent.key` that it answers to, or such as `Ctrl+K`. */
  readonly keys: readonly [string, ...ReadonlyArray<string>]
  /** What it does, for the list of the screen's keys. */
  readonly does: string
  /** Without it an element of the screen handles the key itself. */
  readonly run?: () => void
}

const setting = "care-keys"
const lists = new Set<ReadonlyArray<ScreenKey>>()

/** Whether letters do something. People who dictate turn them off, because what they say is typed. */
export const areKeysOn = (): boolean => localStorage.getItem(setting) !== "off"
export const turnKeys = (isOn: boolean): void => localStorage.setItem(setting, isOn ? "on" : "off")

/** Returns the keys of all that is shown. */
export const keysNow = (): ReadonlyArray<ScreenKey> => [...lists].flat()

/** Gives a screen its keys for as long as it is shown. */
export const useKeys = (keys: ReadonlyArray<ScreenKey>): void =>
  useEffect(() => {
    lists.add(keys)
    return () => {
      lists.delete(keys)
    }
  }, [keys])

// Where letters are text, or choose an entry of a list.
const typing =
  "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable], [role=listbox], [role=menu], [aria-haspopup=listbox]"

const isTyping = ({ isComposing, target }: KeyboardEvent) =>
  isComposing || (target instanceof Element && target.closest(typing) !== null)

const isPressing = ({ key, target }: KeyboardEvent) =>
  (key === "Enter" || key === " ") && target instanceof Element && target.closest("a, button") !== null

// Keys with Ctrl work while a person types, too.
const nameOf = (event: KeyboardEvent): string | undefined => {
  if (event.altKey || event.defaultPrevented) return undefined
  if (event.ctrlKey || event.metaKey) return `Ctrl+${event.key.toUpperCase()}`
  const isOn = event.key.length > 1 || areKeysOn()
  return isOn && !isTyping(event) && !isPressing(event) ? event.key : undefined
}

const isDialogOpen = () => document.querySelector("[role=dialog], [role=alertdialog]") !== null

/** Runs the keys of the screens, until the returned function is called. */
export const followKeys = (): (() => void) => {
  const onKeyDown = (event: KeyboardEvent) => {
    const name = nameOf(event)
    const run =
      name === undefined ? undefined : keysNow().find(({ keys, run }) => run !== undefined && keys.includes(name))?.run
    if (run === undefined || isDialogOpen()) return
    event.preventDefault()
    run()
  }
  document.addEventListener("keydown", onKeyDown)
  return () => document.removeEventListener("keydown", onKeyDown)
}
