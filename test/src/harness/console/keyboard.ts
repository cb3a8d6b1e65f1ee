import { assert } from "@effect/vitest"
import type { Locator } from "playwright-core"

/** Waits until something has the focus, which a window gives back a moment after it closed. */
export const focused = (target: Locator) => target.and(target.page().locator(":focus")).waitFor()

/** Presses Tab until something has the focus, as somebody without a mouse does. */
export const tabTo = async (target: Locator, left = 40): Promise<void> => {
  if (await target.evaluate((element) => element.matches(":focus"))) return
  assert.isAbove(left, 0, `Tab does not lead to ${target}`)
  await target.page().keyboard.press("Tab")
  return tabTo(target, left - 1)
}

/** Moves the focus to something, and presses a key on it. */
export const use = async (target: Locator, key = "Enter") => {
  await tabTo(target)
  await target.page().keyboard.press(key)
}
