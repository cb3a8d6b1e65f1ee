import { useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { RecoveryCodes } from "../session/RecoveryCodes.tsx"
import { sessionQuery } from "../session/session.ts"
import { useEnrol } from "../session/useEnrol.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { AnotherPerson } from "./AnotherPerson.tsx"
import { Step } from "./Step.tsx"

/** Enrols the first passkey, and shows the recovery codes. The sign-in goes on when they are kept. */
export const EnrolStep = () => {
  const client = useQueryClient()
  const [name, setName] = useState("")
  const enrol = useEnrol()
  if (enrol.data !== undefined) {
    const { recoveryCodes, session } = enrol.data
    return (
      <Step title="Keep your recovery codes">
        <RecoveryCodes codes={recoveryCodes} onKept={() => client.setQueryData(sessionQuery.queryKey, session)} />
      </Step>
    )
  }
  return (
    <Step title="Make a passkey">
      <p>
        From now on you sign in with a passkey: with your fingerprint, your face, the PIN of this device, or a security
        key.
      </p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          enrol.mutate(name.trim())
        }}
      >
        <Field
          label="Name of the passkey"
          hint="So that you recognize it later, such as “Laptop at the clinic”."
          isRequired
          autoFocus
          maxLength={100}
          value={name}
          onChange={setName}
        />
        <Button look="primary" type="submit" isPending={enrol.isPending}>
          Make a passkey
        </Button>
      </form>
      {enrol.error === null ? null : <Failure error={enrol.error} />}
      <AnotherPerson />
    </Step>
  )
}
