import { UserId } from "@care/domain/ids"
import { useOrganizationId } from "../../session/chosenOrganization.ts"
import { Choice } from "../../ui/Choice.tsx"
import { useNamesIn, useOperatorNames } from "./useActorNames.ts"

interface PersonChoiceProps {
  readonly value: UserId | undefined
  readonly onChange: (value: UserId | undefined) => void
}

const anyone = "ANYONE"

/** A filter by who acted: the staff of the organization that is looked at, and operators. */
export const PersonChoice = ({ onChange, value }: PersonChoiceProps) => {
  const { staff } = useNamesIn(useOrganizationId())
  const names = new Map([...staff, ...useOperatorNames()])
  // Somebody of another organization, or whose name is not known yet.
  if (value !== undefined && !names.has(value)) names.set(value, value.slice(0, 8))
  const people = [...names].sort(([, one], [, other]) => one.localeCompare(other))
  return (
    <Choice
      label="Who"
      value={value ?? anyone}
      options={[{ value: anyone, text: "Anyone" }, ...people.map(([id, text]) => ({ value: id, text }))]}
      onChange={(next) => onChange(next === anyone ? undefined : UserId.make(next))}
    />
  )
}
