import type { ReactNode } from "react"

interface PanelProps {
  readonly title: string
  readonly actions?: ReactNode
  readonly children: ReactNode
}

/** A part of a screen with its own title. */
export const Panel = ({ actions, children, title }: PanelProps) => (
  <section aria-label={title} className="flex flex-col gap-3 rounded-lg border border-line bg-surface p-4">
    <div className="flex flex-wrap items-center justify-between gap-2">
      <h2 dir="auto" className="min-w-0 font-semibold">
        {title}
      </h2>
      {actions === undefined ? null : <div className="flex flex-wrap gap-2">{actions}</div>}
    </div>
    {children}
  </section>
)
