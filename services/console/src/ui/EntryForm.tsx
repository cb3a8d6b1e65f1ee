import { useMutation } from "@tanstack/react-query"
import { Result, type Schema } from "effect"
import { type ReactNode, useLayoutEffect, useRef, useState } from "react"
import { Form } from "react-aria-components"
import { atFields, type PlacedMistakes, without } from "./atFields.ts"
import { Button } from "./Button.tsx"
import { Failure } from "./Failure.tsx"
import { readEntered } from "./readEntered.ts"

interface EntryFormProps<A> {
  /** What the operation takes. */
  readonly schema: Schema.Codec<A, unknown>
  /** What was entered, as it will be sent. Its keys are the names of the fields. */
  readonly entered: unknown
  readonly action: string
  readonly onSave: (value: A) => Promise<unknown>
  readonly onDone: () => void
  readonly onCancel?: () => void
  readonly children: ReactNode
}

const none: PlacedMistakes = { fields: {}, others: [] }

/** A form of which the contract of the API checks what was entered, before it is sent. */
export const EntryForm = <A,>({ action, children, entered, onCancel, onDone, onSave, schema }: EntryFormProps<A>) => {
  const form = useRef<HTMLFormElement>(null)
  const [mistakes, setMistakes] = useState(none)
  const save = useMutation({ mutationFn: onSave, onSuccess: onDone })
  const hasMistakes = mistakes.others.length > 0 || Object.keys(mistakes.fields).length > 0
  const [attempts, setAttempts] = useState(0)
  useLayoutEffect(() => {
    const wrong = attempts > 0 ? form.current?.querySelector("[aria-invalid=true]") : undefined
    if (wrong instanceof HTMLElement) wrong.focus()
  }, [attempts])
  return (
    <Form
      ref={form}
      className="flex flex-col gap-4"
      validationBehavior="aria"
      validationErrors={mistakes.fields}
      onSubmit={(event) => {
        event.preventDefault()
        const read = readEntered(schema, entered)
        setMistakes(Result.isFailure(read) ? atFields(read.failure, event.currentTarget) : none)
        setAttempts(attempts + 1)
        if (Result.isSuccess(read) && !save.isPending) save.mutate(read.success)
      }}
    >
      {/* A mistake goes when its field is typed into: when the field is left, what is below would move under a click. */}
      <div
        className="contents"
        onInput={({ target }) => {
          if (target instanceof Element) setMistakes(without(mistakes, target.getAttribute("name") ?? ""))
        }}
      >
        {children}
      </div>
      {hasMistakes ? (
        <p role="alert" className="text-sm text-bad">
          {mistakes.others.length === 0 ? "Look at the marked fields." : mistakes.others.join("; ")}
        </p>
      ) : null}
      {save.error === null ? null : <Failure error={save.error} />}
      <div className="flex justify-end gap-2">
        {onCancel === undefined ? null : <Button onPress={onCancel}>Cancel</Button>}
        <Button look="primary" type="submit" isPending={save.isPending}>
          {action}
        </Button>
      </div>
    </Form>
  )
}
