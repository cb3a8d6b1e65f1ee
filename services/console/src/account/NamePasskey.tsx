import type { Passkey } from "@care/domain/auth"
import { useMutation } from "@tanstack/react-query"
import { useState } from "react"
import { send } from "../client/send.ts"
import { RecoveryCodes } from "../session/RecoveryCodes.tsx"
import { staffSession } from "../session/session.ts"
import { useEnrol } from "../session/useEnrol.ts"
import { Button } from "../ui/Button.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Field } from "../ui/Field.tsx"
import { Window } from "../ui/Window.tsx"

interface NamePasskeyProps {
  /** The passkey to rename. Without one a new one is added. */
  readonly passkey?: Passkey
  readonly onClose: () => void
  readonly onDone: (text: string) => Promise<void>
}

/** Asks for the name of a passkey that is added or renamed. The first one, after a single sign-on, comes with recovery codes. */
export const NamePasskey = ({ onClose, onDone, passkey }: NamePasskeyProps) => {
  const [name, setName] = useState(passkey?.name ?? "")
  const enrol = useEnrol()
  const save = useMutation({
    mutationFn: async (): Promise<ReadonlyArray<string>> => {
      if (passkey === undefined) return (await enrol.mutateAsync(name.trim())).recoveryCodes
      await send(staffSession.renamePasskey({ params: { passkeyId: passkey.id }, payload: { name: name.trim() } }))
      return []
    },
    onSuccess: async (codes) => {
      await onDone(passkey === undefined ? "Passkey added" : "Passkey renamed")
      if (codes.length === 0) onClose()
    }
  })
  if (save.data !== undefined && save.data.length > 0) {
    return (
      <Window title="Keep your recovery codes" isOpen onClose={onClose}>
        <RecoveryCodes codes={save.data} onKept={onClose} />
      </Window>
    )
  }
  return (
    <Window title={passkey === undefined ? "Add a passkey" : `Rename ${passkey.name}`} isOpen onClose={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault()
          save.mutate()
        }}
      >
        <Field
          label="Name"
          hint="So that you recognize it later, such as “Security key at home”."
          isRequired
          autoFocus
          maxLength={100}
          value={name}
          onChange={setName}
        />
        {save.error === null ? null : <Failure error={save.error} />}
        <div className="flex justify-end gap-2">
          <Button onPress={onClose}>Cancel</Button>
          <Button look="primary" type="submit" isPending={save.isPending}>
            {passkey === undefined ? "Make the passkey" : "Rename"}
          </Button>
        </div>
      </form>
    </Window>
  )
}
