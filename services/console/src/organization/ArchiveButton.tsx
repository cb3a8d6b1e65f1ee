import type { ReactNode } from "react"
import { announce } from "../ui/announce.ts"
import { ConfirmedButton } from "../ui/ConfirmedButton.tsx"

interface ArchiveButtonProps {
  /** What it is, such as "product". */
  readonly kind: string
  readonly name: string
  readonly isArchived: boolean
  /** What happens when it is archived. */
  readonly children: ReactNode
  readonly onChange: (isArchived: boolean) => Promise<unknown>
}

/** The button that archives a thing of the catalogue, or takes it back. */
export const ArchiveButton = ({ children, isArchived, kind, name, onChange }: ArchiveButtonProps) => (
  <ConfirmedButton
    text={isArchived ? "Restore" : "Archive"}
    thing={name}
    title={`${isArchived ? "Restore" : "Archive"} the ${kind}?`}
    isDanger={!isArchived}
    onConfirm={async () => {
      await onChange(!isArchived)
      announce(isArchived ? "Restored" : "Archived")
    }}
  >
    <p>
      <strong dir="auto">{name}</strong>: {isArchived ? "it can be used again." : children}
    </p>
    {isArchived ? null : <p>You can restore it.</p>}
  </ConfirmedButton>
)
