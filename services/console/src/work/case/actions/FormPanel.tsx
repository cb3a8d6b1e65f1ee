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
    // Radio buttons keep keys to themselves. Lists and dialogs of the form are elsewhere in the page, and have their own Escape.
    onKeyDownCapture={({ ctrlKey, currentTarget, key, metaKey, nativeEvent, target }) => {
      if (nativeEvent.isComposing || !(target instanceof Node && currentTarget.contains(target))) return
      if (key === "Escape") onClose()
      if (key === "Enter" && (ctrlKey || metaKey)) onSubmit()
    }}
  >
    <h2 className="font-semibold">{title}</h2>
    {children}
  </form>
)
