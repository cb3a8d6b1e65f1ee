import { useEffect, useState } from "react"

const slowMillis = 3000

/** Grey lines in the place of what is being loaded. After some seconds it says that it is still waited for. */
export const Skeleton = ({ lines = 4 }: { readonly lines?: number }) => {
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setSlow(true), slowMillis)
    return () => clearTimeout(timer)
  }, [])
  return (
    <div role="status" className="flex flex-col gap-3">
      {isSlow ? (
        <span className="text-sm text-muted">This takes longer than usual.</span>
      ) : (
        <span className="sr-only">Loading</span>
      )}
      {Array.from({ length: lines }, (_, line) => (
        <div
          key={line}
          className="h-5 animate-pulse rounded motion-reduce:animate-none bg-raised"
          style={{ width: `${90 - ((line * 17) % 40)}%` }}
        />
      ))}
    </div>
  )
}
