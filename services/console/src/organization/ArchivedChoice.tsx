import { Choice } from "../ui/Choice.tsx"

export type IsArchived = "true" | "false"

interface ArchivedChoiceProps {
  readonly things: string
  readonly value: IsArchived
  readonly onChange: (value: IsArchived) => void
}

/** Chooses between the things that are in use, and those that were archived. */
export const ArchivedChoice = ({ onChange, things, value }: ArchivedChoiceProps) => (
  <Choice
    label={`Which ${things}`}
    isLabelHidden
    value={value}
    options={[
      { value: "false", text: `${things} in use`.replace(/^./u, (first) => first.toUpperCase()) },
      { value: "true", text: `Archived ${things}` }
    ]}
    onChange={onChange}
  />
)
