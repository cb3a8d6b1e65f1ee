import type { ReactNode } from "react"

interface ViewsProps {
  readonly label: string
  readonly children: ReactNode
}

/** The look of a link to a view. */
export const viewLook =
  "rounded-md px-3 py-1.5 text-muted hover:bg-raised aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-ink"

/** The links to the views of a screen, of which one is shown. */
export const Views = ({ children, label }: ViewsProps) => (
  <nav aria-label={label} className="flex flex-wrap gap-1">
    {children}
  </nav>
)
