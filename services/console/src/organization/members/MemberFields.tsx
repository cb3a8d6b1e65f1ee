import { Choice } from "../../ui/Choice.tsx"
import { Field } from "../../ui/Field.tsx"
import { inWords } from "../../ui/words.ts"
import { type MemberDraft, roles } from "./memberDraft.ts"

interface MemberFieldsProps {
  readonly draft: MemberDraft
  readonly onChange: (draft: MemberDraft) => void
}

/** The fields that a new member and one who is changed have in common. */
export const MemberFields = ({ draft, onChange }: MemberFieldsProps) => {
  const field = (name: keyof Omit<MemberDraft, "role">) => ({
    name,
    value: draft[name],
    onChange: (value: string) => onChange({ ...draft, [name]: value })
  })
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="First name" {...field("firstName")} />
        <Field label="Last name" {...field("lastName")} />
        <Choice
          label="Role"
          value={draft.role}
          options={roles.map((value) => ({ value, text: inWords(value) }))}
          onChange={(role) => onChange({ ...draft, role })}
        />
      </div>
      {draft.role === "PROVIDER" ? (
        <div className="grid gap-4 sm:grid-cols-2">
          <Field label="Title" hint="Before the name, such as Dr." {...field("title")} />
          <Field label="Suffix" hint="After the name, such as MD" {...field("titleSuffix")} />
          <Field label="NPI" {...field("npi")} />
          <Field label="DEA number" {...field("dea")} />
          <Field label="Licensed in" hint="Codes of states: CA, NY" {...field("licensedStates")} />
        </div>
      ) : null}
    </>
  )
}
