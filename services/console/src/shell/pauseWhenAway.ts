import { focusManager } from "@tanstack/react-query"

// Less than STAFF_IDLE_TIME, which a request begins anew: a screen that refreshes itself would keep a session alive for ever.
const awayMillis = 10 * 60_000
const uses = ["keydown", "pointerdown", "pointermove", "wheel", "visibilitychange"] as const

/** Stops the requests that screens repeat by themselves when the person is away or looks at another tab. */
export const pauseWhenAway = (): void =>
  focusManager.setEventListener((setFocused) => {
    let timer: ReturnType<typeof setTimeout> | undefined
    let isHere: boolean | undefined
    const set = (next: boolean) => {
      if (next === isHere) return
      isHere = next
      setFocused(next)
    }
    const onUse = () => {
      clearTimeout(timer)
      timer = setTimeout(() => set(false), awayMillis)
      set(document.visibilityState === "visible")
    }
    for (const use of uses) document.addEventListener(use, onUse, { passive: true })
    onUse()
    return () => {
      clearTimeout(timer)
      for (const use of uses) document.removeEventListener(use, onUse)
    }
  })
