import { useMutation } from "@tanstack/react-query"
import { Result, type Schema } from "effect"
import { type ReactNode, useLayoutEffect, useRef, useState } from "react"
import { Form } from "react-aria-components"
import { Button } from "./Button.tsx"
import { Failure } from "./Failure.tsx"
import { type Mistakes, readEntered } from "./readEntered.ts"

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

/** A form of which the contract of the API checks what was entered, before it is sent. */
export const EntryForm = <A,>({ action, children, entered, onCancel, onDone, onSave, schema }: EntryFormProps<A>) => {
  const form = useRef<HTMLFormElement>(null)
  const [mistakes, setMistakes] = useState<Mistakes>({})
  const others = Object.entries(mistakes).filter(([name]) => form.current?.elements.namedItem(name) === null)
  const save = useMutation({ mutationFn: onSave, onSuccess: onDone })
  useLayoutEffect(() => {
    const wrong = form.current?.querySelector("[aria-invalid=true]")
    if (wrong instanceof HTMLElement) wrong.focus()
  }, [mistakes])
  return (
    <Form
      ref={form}
      className="flex flex-col gap-4"
      validationBehavior="aria"
      validationErrors={mistakes}
      onSubmit={(event) => {
        event.preventDefault()
        const read = readEntered(schema, entered)
        setMistakes(Result.isFailure(read) ? read.failure : {})
        if (Result.isSuccess(read) && !save.isPending) save.mutate(read.success)
      }}
    >
      {children}
      {Object.keys(mistakes).length === 0 ? null : (
        <p role="alert" className="text-sm text-bad">
          {others.length === 0
            ? "Look at the marked fields."
            : others.map(([name, text]) => (name === "" ? text : `${name}: ${text}`)).join("; ")}
        </p>
      )}
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
