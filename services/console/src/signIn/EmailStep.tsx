import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { staffSignIn, usePasskey } from "../session/usePasskey.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { Step } from "./Step.tsx"

/** Asks for the email, or signs in with a passkey alone. */
export const EmailStep = ({ onSent }: { readonly onSent: (email: string) => void }) => {
  const [email, setEmail] = useState("")
  const passkey = usePasskey()
  const code = useMutation({
    mutationFn: (to: string) => send(staffSignIn.sendCode({ query: {}, payload: { email: to } })),
    onSuccess: (_, to) => onSent(to)
  })
  const error = code.error ?? passkey.error
  return (
    <Step title="Sign in">
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          passkey.reset()
          code.mutate(email.trim().toLowerCase())
        }}
      >
        <Field
          label="Email"
          type="email"
          autoComplete="username"
          isRequired
          autoFocus
          value={email}
          onChange={setEmail}
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
      {error === null ? null : <Failure error={error} />}
    </Step>
  )
}
