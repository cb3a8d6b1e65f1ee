import type { UserSummary } from "@care/domain/auth"
import { useState } from "react"
import { send } from "../../client/send.ts"
import { announce } from "../../ui/announce.ts"
import { Button } from "../../ui/Button.tsx"
import { Confirmation } from "../../ui/Confirmation.tsx"
import { Field } from "../../ui/Field.tsx"
import { Tick } from "../../ui/Tick.tsx"
import { patientErasure } from "./patientQueries.ts"

interface ErasePatientProps {
  readonly patient: UserSummary
  readonly onErased: () => void
}

/** The button that erases a patient, once their email was typed. */
export const ErasePatient = ({ onErased, patient }: ErasePatientProps) => {
  const [isOpen, setOpen] = useState(false)
  const [typed, setTyped] = useState("")
  const [force, setForce] = useState(false)
  const name = `${patient.firstName} ${patient.lastName}`
  return (
    <>
      <Button
        isSmall
        look="danger"
        aria-label={`Erase ${name}`}
        onPress={() => {
          setTyped("")
          setForce(false)
          setOpen(true)
        }}
      >
        Erase
      </Button>
      <Confirmation
        title="Erase the patient?"
        action={`Erase ${name}`}
        isDanger
        isDisabled={typed.trim().toLowerCase() !== patient.email.toLowerCase()}
        isOpen={isOpen}
        onClose={() => setOpen(false)}
        onConfirm={async () => {
          const { pending } = await send(patientErasure.erase({ params: { userId: patient.id }, payload: { force } }))
          announce(
            pending.length === 0 ? "The patient is erased" : `The patient is erased; ${pending.join(", ")} will follow`
          )
          onErased()
        }}
      >
        <p>
          The name, contacts, answers, files and messages of <strong dir="auto">{name}</strong> are destroyed in all
          services, and their cases are closed. Cases, payments and audit records stay, without personal contents.{" "}
          <strong>This cannot be undone.</strong>
        </p>
        <Field
          label={`Type ${patient.email} to confirm`}
          type="email"
          autoComplete="off"
          value={typed}
          onChange={setTyped}
          autoFocus
        />
        <Tick isSelected={force} onChange={setForce}>
          Even if they are being treated now
        </Tick>
      </Confirmation>
    </>
  )
}
