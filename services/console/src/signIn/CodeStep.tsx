import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { sessionQuery } from "../session/session.ts"
import { staffSignIn } from "../session/usePasskey.ts"
import { announce } from "../ui/announce.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { DevelopmentMailbox } from "./DevelopmentMailbox.tsx"
import { Step } from "./Step.tsx"

interface CodeStepProps {
  readonly email: string
  readonly onBack: () => void
}

/** Asks for the code that was sent. */
export const CodeStep = ({ email, onBack }: CodeStepProps) => {
  const client = useQueryClient()
  const [code, setCode] = useState("")
  const verify = useMutation({
    mutationFn: () => send(staffSignIn.verifyCode({ query: {}, payload: { email, code } })),
    onSuccess: (session) => client.setQueryData(sessionQuery.queryKey, session),
    onError: () => setCode("")
  })
  const again = useMutation({
    mutationFn: () => send(staffSignIn.sendCode({ query: {}, payload: { email } })),
    onSuccess: () => announce("Another code was sent. The older one is not valid any more.")
  })
  const error = verify.error ?? again.error
  return (
    <Step title="Enter the code">
      <p>
        If a member of staff has the email <strong className="font-semibold break-words">{email}</strong>, a code is on
        its way to it. It is valid for some minutes. If your organization requires its single sign-on, none is sent.
      </p>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          again.reset()
          verify.mutate()
        }}
      >
        <Field
          label="Code"
          hint="Six digits. With several organizations, each has sent a code of its own."
          inputMode="numeric"
          autoComplete="one-time-code"
          isRequired
          autoFocus
          value={code}
          onChange={(text) => setCode(text.replace(/\D/g, "").slice(0, 6))}
          validate={(value) => (value.length === 6 ? null : "Write the six digits of the code.")}
        />
        <Button look="primary" type="submit" isPending={verify.isPending}>
          Continue
        </Button>
      </form>
      {error === null ? null : <Failure error={error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" isSmall isPending={again.isPending} onPress={() => again.mutate()}>
          Send another code
        </Button>
        <Button look="quiet" isSmall onPress={onBack}>
          Use another email
        </Button>
      </div>
      <DevelopmentMailbox email={email} onUse={setCode} />
    </Step>
  )
}
