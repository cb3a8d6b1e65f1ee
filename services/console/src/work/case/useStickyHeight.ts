import { useCallback, useState } from "react"

/** Returns the height of an element that stays at the top, and keeps what gets the focus from being below it. */
export const useStickyHeight = () => {
  const [height, setHeight] = useState(0)
  const ref = useCallback((element: HTMLElement | null) => {
    if (element === null) return
    const page = document.documentElement.style
    const observer = new ResizeObserver(() => {
      setHeight(element.offsetHeight)
      page.scrollPaddingTop = `${element.offsetHeight + 8}px`
    })
    observer.observe(element)
    return () => {
      observer.disconnect()
      page.scrollPaddingTop = ""
    }
  }, [])
  return { height, ref }
}
