import { focusManager } from "@tanstack/react-query"
import { noteUse } from "../client/attendedFetch.ts"
import { cover, isCovered } from "../session/cover.ts"
import { comeBack } from "../session/watchSession.ts"

// Reads of cases are recorded: a screen that nobody looks at makes none.
const awayMillis = 10 * 60_000
const uses = ["keydown", "pointerdown", "pointermove", "wheel", "visibilitychange"] as const

const isOnCover = (event?: Event) => event?.target instanceof Element && event.target.closest("#cover") !== null

/**
 * Stops the requests that screens repeat by themselves when the person is away or looks at another tab. When they come back, what was read
 * before is shown as soon as their session has proved to go on.
 */
export const pauseWhenAway = (): void =>
  focusManager.setEventListener((setFocused) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let usedAt = 0
    let isHere: boolean | undefined
    const leave = () => {
      if (isHere === false) return
      isHere = false
      setFocused(false)
    }
    const onUse = (event?: Event) => {
      clearTimeout(timer)
      if (document.visibilityState === "hidden") {
        cover()
        leave()
        return
      }
      noteUse()
      timer = setTimeout(leave, awayMillis)
      // A computer that slept ran no timer.
      const wasAway = isHere !== true || Date.now() - usedAt >= awayMillis
      usedAt = Date.now()
      if (wasAway) {
        isHere = true
        comeBack()
        setFocused(true)
      }
      // Nobody means what they do not see.
      if (isCovered() && !isOnCover(event)) event?.stopPropagation()
    }
    const options = { capture: true, passive: true }
    for (const use of uses) document.addEventListener(use, onUse, options)
    addEventListener("focus", onUse)
    onUse()
    return () => {
      clearTimeout(timer)
      for (const use of uses) document.removeEventListener(use, onUse, options)
      removeEventListener("focus", onUse)
    }
  })
