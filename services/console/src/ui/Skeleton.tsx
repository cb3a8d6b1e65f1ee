/** Grey lines in the place of what is being loaded. */
export const Skeleton = ({ lines = 4 }: { readonly lines?: number }) => (
  <div role="status" className="flex flex-col gap-3">
    <span className="sr-only">Loading</span>
    {Array.from({ length: lines }, (_, line) => (
      <div
        key={line}
        className="h-5 animate-pulse rounded motion-reduce:animate-none bg-raised"
        style={{ width: `${90 - ((line * 17) % 40)}%` }}
      />
    ))}
  </div>
)
