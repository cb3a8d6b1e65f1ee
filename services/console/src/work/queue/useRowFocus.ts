import { useRef, useState } from "react"

/**
 * Moves the focus between the rows of a list, each of which has one link that gets it. Only the current row is reached by Tab, so that a
 * long list is one step of the page.
 */
export const useRowFocus = (ids: ReadonlyArray<string>) => {
  const links = useRef(new Map<string, HTMLAnchorElement>())
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const isThere = chosen !== undefined && ids.includes(chosen)
  const current = isThere ? chosen : ids[0]
  return {
    currentId: current,
    /** The row that the person has moved to. */
    chosenId: isThere ? chosen : undefined,
    move: (step: 1 | -1) => {
      const at = isThere ? ids.indexOf(chosen) + step : 0
      const next = ids[Math.max(0, Math.min(at, ids.length - 1))]
      if (next !== undefined) links.current.get(next)?.focus()
    },
    linkProps: (id: string) => ({
      ref: (link: HTMLAnchorElement | null) => {
        if (link === null) links.current.delete(id)
        else links.current.set(id, link)
      },
      tabIndex: id === current ? 0 : -1,
      onFocus: () => setChosen(id)
    })
  }
}
