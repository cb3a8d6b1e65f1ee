import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { staffSignIn, usePasskey } from "../session/usePasskey.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { SingleSignOn } from "./SingleSignOn.tsx"
import { Step } from "./Step.tsx"

interface EmailStepProps {
  /** Why the person comes back without a session. */
  readonly failure: Error | null
  readonly onSent: (email: string) => void
}

/** Asks for the email. A passkey alone, or the provider of the organization, signs in without a code. */
export const EmailStep = ({ failure, onSent }: EmailStepProps) => {
  const [text, setText] = useState("")
  const email = text.trim().toLowerCase()
  const passkey = usePasskey()
  const code = useMutation({
    mutationFn: (to: string) => send(staffSignIn.sendCode({ query: {}, payload: { email: to } })),
    onSuccess: (_, to) => onSent(to)
  })
  const error = code.error ?? passkey.error ?? failure
  return (
    <Step title="Sign in">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          passkey.reset()
          code.mutate(email)
        }}
      >
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          isRequired
          autoFocus
          value={text}
          onChange={setText}
          validate={(value) =>
            /.@.+\../.test(value) ? null : "Write an email address, such as ada@clinic.example.com."
          }
        />
        <Button look="primary" type="submit" isPending={code.isPending}>
          Send me a code
        </Button>
      </form>
      <div className="flex items-center gap-3 text-sm text-muted before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        or
      </div>
      <Button
        isPending={passkey.isPending}
        onPress={() => {
          code.reset()
          passkey.mutate()
        }}
      >
        Sign in with a passkey
      </Button>
      <SingleSignOn email={email} />
      {error === null ? null : <Failure error={error} />}
    </Step>
  )
}
