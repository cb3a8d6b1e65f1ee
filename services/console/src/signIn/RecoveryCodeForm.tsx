import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { raisingKey, sessionQuery, staffSession } from "../session/session.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"

const form = /^\s*[0-9A-Za-z]{5}-?[0-9A-Za-z]{5}\s*$/

/** Uses a recovery code in the place of the passkey. */
export const RecoveryCodeForm = () => {
  const client = useQueryClient()
  const [code, setCode] = useState("")
  const recover = useMutation({
    mutationKey: raisingKey,
    mutationFn: () => send(staffSession.recover({ payload: { code } })),
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session)
  })
  return (
    <>
      <p>Each code works once. Afterwards make a new passkey under “Your account”.</p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          recover.mutate()
        }}
      >
        <Field
          label="Recovery code"
          hint="Such as 4F7QM-2Z9KD."
          autoComplete="off"
          isRequired
          autoFocus
          value={code}
          onChange={setCode}
          validate={(value) => (form.test(value) ? null : "A code has ten letters and digits, such as 4F7QM-2Z9KD.")}
        />
        <Button look="primary" type="submit" isPending={recover.isPending}>
          Continue
        </Button>
      </form>
      {recover.error === null ? null : <Failure error={recover.error} />}
      <p className="text-sm text-muted">
        Without codes, ask an administrator of your organization to reset your sign-in.
      </p>
    </>
  )
}
