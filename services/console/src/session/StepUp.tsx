import { useEffect, useRef, useState } from "react"
import { askForPasskeyBy } from "../client/stepUp.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Window } from "../ui/Window.tsx"
import { usePasskey } from "./usePasskey.ts"
import { useSession } from "./useSession.ts"

/** Asks for a passkey when a request needs one, and lets the request go on afterwards. */
export const StepUp = () => {
  const answer = useRef<((isDone: boolean) => void) | undefined>(undefined)
  const [isOpen, setOpen] = useState(false)
  const passkey = usePasskey()
  const session = useSession()
  useEffect(
    () =>
      askForPasskeyBy(
        () =>
          new Promise((resolve) => {
            answer.current = resolve
            setOpen(true)
          })
      ),
    []
  )
  const close = (isDone: boolean) => {
    answer.current?.(isDone)
    passkey.reset()
    setOpen(false)
  }
  return (
    <Window title="Use your passkey" isOpen={isOpen} onClose={() => close(false)}>
      <p>
        {session.hasPasskeys === false
          ? "This needs a passkey, and you have none. Sign out and in again, and add one under “Your account” within five minutes."
          : "This needs a proof that it is you: use your passkey again. It counts for five minutes."}
      </p>
      {passkey.error === null ? null : <Failure error={passkey.error} />}
      <div className="flex justify-end gap-2">
        <Button onPress={() => close(false)}>Cancel</Button>
        <Button
          look="primary"
          autoFocus
          isDisabled={session.hasPasskeys === false}
          isPending={passkey.isPending}
          onPress={() => passkey.mutate(undefined, { onSuccess: () => close(true) })}
        >
          Use passkey
        </Button>
      </div>
    </Window>
  )
}
