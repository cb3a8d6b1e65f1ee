import { useState } from "react"
import { usePasskey } from "../session/usePasskey.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { AnotherPerson } from "./AnotherPerson.tsx"
import { RecoveryCodeForm } from "./RecoveryCodeForm.tsx"
import { Step } from "./Step.tsx"

/** Completes a sign-in with the passkey, or with a recovery code. */
export const SecondFactorStep = ({ name }: { readonly name: string }) => {
  const [isLost, setLost] = useState(false)
  const passkey = usePasskey()
  if (isLost) {
    return (
      <Step title="Use a recovery code">
        <RecoveryCodeForm />
        <Button look="quiet" isSmall onPress={() => setLost(false)}>
          Use your passkey instead
        </Button>
        <AnotherPerson />
      </Step>
    )
  }
  return (
    <Step title="Use your passkey">
      <p dir="auto" className="break-words">
        Welcome back, {name}. Your passkey completes the sign-in.
      </p>
      <Button look="primary" autoFocus isPending={passkey.isPending} onPress={() => passkey.mutate()}>
        Use passkey
      </Button>
      {passkey.error === null ? null : <Failure error={passkey.error} />}
      <div className="flex flex-wrap gap-2">
        <Button look="quiet" isSmall onPress={() => setLost(true)}>
          Use a recovery code
        </Button>
        <AnotherPerson />
      </div>
    </Step>
  )
}
