import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"
import { Window } from "./Window.tsx"

interface WindowButtonProps {
  /** What the button says. */
  readonly text: string
  /** The thing of the row that it is in, for screen readers. */
  readonly thing?: string
  readonly title: string
  readonly look?: "primary" | "plain"
  readonly isSmall?: boolean
  readonly isWide?: boolean
  readonly children: (close: () => void) => ReactNode
}

/** A button that opens a window. */
export const WindowButton = ({
  children,
  isSmall = false,
  isWide = false,
  look = "plain",
  text,
  thing,
  title
}: WindowButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <Button
        look={look}
        isSmall={isSmall}
        onPress={() => setOpen(true)}
        {...(thing !== undefined && { "aria-label": `${text} ${thing}` })}
      >
        {text}
      </Button>
      <Window title={title} isOpen={isOpen} isWide={isWide} onClose={close}>
        {children(close)}
      </Window>
    </>
  )
}
