import type { ReactNode } from "react"

/** Says that there is nothing, and what to do then. */
export const Empty = ({ children, title }: { readonly title: string; readonly children?: ReactNode }) => (
  <div className="flex flex-col items-center gap-1 rounded-md border border-dashed border-line p-8 text-center">
    <p className="font-medium">{title}</p>
    {children === undefined ? null : <div className="max-w-prose text-muted">{children}</div>}
  </div>
)
