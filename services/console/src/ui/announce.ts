import { useSyncExternalStore } from "react"

interface Announcement {
  readonly id: number
  readonly text: string
}

const shownMillis = 6_000
const listeners = new Set<() => void>()
let current: Announcement | undefined
let count = 0
let timer: ReturnType<typeof setTimeout> | undefined

const show = (next: Announcement | undefined) => {
  current = next
  for (const listener of listeners) listener()
}

const subscribe = (listener: () => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Says for some seconds what was done, such as "Comment added". Screen readers read it aloud. */
export const announce = (text: string): void => {
  clearTimeout(timer)
  count += 1
  show({ id: count, text })
  timer = setTimeout(() => show(undefined), shownMillis)
}

export const useAnnouncement = (): Announcement | undefined => useSyncExternalStore(subscribe, () => current)
