import type { ReactNode } from "react"

interface FormPanelProps {
  readonly title: string
  readonly onClose: () => void
  readonly onSubmit: () => void
  readonly children: ReactNode
}

/** A form beside the case. Escape closes it, and Ctrl+Enter sends it. */
export const FormPanel = ({ children, onClose, onSubmit, title }: FormPanelProps) => (
  <form
    aria-label={title}
    noValidate
    className="flex flex-col gap-3 rounded-lg border border-accent bg-surface p-4"
    onSubmit={(event) => {
      event.preventDefault()
      onSubmit()
    }}
    onKeyDown={(event) => {
      const isWithin = event.target instanceof Node && event.currentTarget.contains(event.target)
      if (event.defaultPrevented || !isWithin) return
      if (event.key === "Escape") onClose()
      if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) onSubmit()
    }}
  >
    <h2 className="font-semibold">{title}</h2>
    {children}
  </form>
)
