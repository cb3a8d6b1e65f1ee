import type { FoundCase } from "@care/domain/cases"
import { useMutation } from "@tanstack/react-query"
import { Option, Schema } from "effect"
import { useState } from "react"
import { useOrganizationId } from "../session/chosenOrganization.ts"
import { useMay } from "../session/useMay.ts"
import { Button } from "../ui/Button.tsx"
import { Field } from "../ui/Field.tsx"
import { findCases } from "./caseFinder.ts"

/** A thing that was found, with its name. */
interface Found<Id> {
  readonly id: Id
  readonly name: string
}

interface FoundFieldProps<Id extends string> {
  readonly label: string
  /** What may be typed. */
  readonly hint: string
  readonly schema: Schema.Codec<Id, string>
  readonly foundIn: (found: FoundCase) => Found<Id>
  readonly value: Id | undefined
  readonly onChange: (value: Id | undefined) => void
}

/**
 * A filter by an id, which is typed, or found by something that people know. It takes effect on Enter, and when the person goes on. Where no
 * organization is chosen, only ids are taken.
 */
export const FoundField = <Id extends string>(props: FoundFieldProps<Id>) => {
  const { foundIn, hint, label, onChange, schema, value } = props
  const organizationId = useOrganizationId()
  const mayFind = useMay()("caseSearch", "find")
  const [text, setText] = useState<string>(value ?? "")
  const [own, setOwn] = useState(value)
  const [previous, setPrevious] = useState(value)
  // A link elsewhere on the screen has set another value.
  if (value !== previous) {
    setPrevious(value)
    if (value !== own) {
      setOwn(value)
      setText(value ?? "")
    }
  }
  const choose = (id: Id | undefined) => {
    setOwn(id)
    onChange(id)
  }
  const search = useMutation({
    mutationFn: async (typed: string) => {
      if (!mayFind) throw new Error("Type a whole id.")
      if (organizationId === undefined) throw new Error("Type a whole id, or choose an organization first.")
      const found = new Map((await findCases(organizationId, typed)).map(foundIn).map((each) => [each.id, each]))
      if (found.size === 0) throw new Error("Nothing was found.")
      return [...found.values()]
    },
    onSuccess: ([first, ...others]) => {
      if (first !== undefined && others.length === 0) choose(first.id)
    }
  })
  const apply = () => {
    const typed = text.trim()
    const id = Option.getOrUndefined(Schema.decodeUnknownOption(schema)(typed))
    if (typed === "" || id !== undefined) {
      search.reset()
      if (id !== value) choose(id)
    } else if (typed !== search.variables || search.isError) search.mutate(typed)
  }
  const found = search.data ?? []
  const chosen = found.find(({ id }) => id === value)
  return (
    <div className="flex min-w-0 flex-col gap-1 break-words">
      <Field
        label={label}
        value={text}
        isInvalid={search.isError}
        hint={search.error?.message ?? chosen?.name ?? hint}
        spellCheck="false"
        autoComplete="off"
        onChange={setText}
        onBlur={apply}
        onKeyDown={({ key }) => {
          if (key === "Enter") apply()
        }}
      />
      {found.length > 1 && chosen === undefined ? (
        <ul aria-label={`Found for ${label}`} className="flex flex-col items-start gap-1">
          {found.map(({ id, name }) => (
            <li key={id}>
              <Button isSmall onPress={() => choose(id)}>
                <span dir="auto">{name}</span>
              </Button>
            </li>
          ))}
        </ul>
      ) : null}
    </div>
  )
}
