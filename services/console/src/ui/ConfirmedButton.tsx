import { type ReactNode, useState } from "react"
import { Button } from "./Button.tsx"
import { Confirmation } from "./Confirmation.tsx"

interface ConfirmedButtonProps {
  /** What the button says. */
  readonly text: string
  /** The thing of the row that it is in, for screen readers. */
  readonly thing?: string
  readonly title: string
  /** What will happen, with the name of the thing that it happens to. */
  readonly children: ReactNode
  readonly action?: string
  readonly isDanger?: boolean
  readonly onConfirm: () => Promise<unknown>
}

/** A button that asks before it does something. */
export const ConfirmedButton = ({
  action,
  children,
  isDanger = true,
  onConfirm,
  text,
  thing,
  title
}: ConfirmedButtonProps) => {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button isSmall onPress={() => setOpen(true)} {...(thing !== undefined && { "aria-label": `${text} ${thing}` })}>
        {text}
      </Button>
      <Confirmation
        title={title}
        action={action ?? text}
        isDanger={isDanger}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={onConfirm}
      >
        {children}
      </Confirmation>
    </>
  )
}
