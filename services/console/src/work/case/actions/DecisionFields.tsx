import type { AdminCase } from "@care/domain/cases"
import { Button } from "../../../ui/Button.tsx"
import { Choice } from "../../../ui/Choice.tsx"
import { Field } from "../../../ui/Field.tsx"
import { Radios } from "../../../ui/Radios.tsx"
import { visitWords } from "../words.ts"
import { type DecisionDraft, emptyMedicine, type MedicineDraft } from "./decisionDraft.ts"
import { MedicineRow } from "./MedicineRow.tsx"

const visits = [
  { value: "ASYNC_TEXT_EMAIL", text: visitWords.ASYNC_TEXT_EMAIL },
  { value: "SYNC_IN_PERSON", text: visitWords.SYNC_IN_PERSON },
  { value: "SYNC_PHONE", text: visitWords.SYNC_PHONE },
  { value: "SYNC_VIDEO", text: visitWords.SYNC_VIDEO }
] as const

const outcomes = [
  { value: "APPROVED", text: "Approve" },
  { value: "REJECTED", text: "Reject" },
  { value: "NO_DECISION", text: "Leave undecided" }
] as const

interface DecisionFieldsProps {
  readonly draft: DecisionDraft
  readonly products: AdminCase["products"]
  readonly change: (part: Partial<DecisionDraft>) => void
}

/** The fields of a decision. */
export const DecisionFields = ({ change, draft, products }: DecisionFieldsProps) => {
  const changeMedicine = (id: string, part: Partial<MedicineDraft>) =>
    change({ medicines: draft.medicines.map((row) => (row.id === id ? { ...row, ...part } : row)) })
  return (
    <>
      <Radios
        label="Decision"
        autoFocus
        options={outcomes}
        value={draft.outcome}
        onChange={(outcome) => change({ outcome })}
      />
      <Choice
        label="About"
        options={[
          { value: "", text: "The whole case" },
          ...products.map(({ name, productId }) => ({ value: productId, text: name }))
        ]}
        value={draft.productId}
        onChange={(productId) => change({ productId })}
      />
      <Field
        label="What the patient is told"
        rows={4}
        maxLength={20_000}
        value={draft.decisionText}
        onChange={(decisionText) => change({ decisionText })}
      />
      <div className="grid gap-3 sm:grid-cols-2">
        <Field label="Valid from" type="date" value={draft.startDate} onChange={(startDate) => change({ startDate })} />
        <Field label="Valid until" type="date" value={draft.endDate} onChange={(endDate) => change({ endDate })} />
        <Choice
          label="How you saw the patient"
          options={visits}
          value={draft.visitType}
          onChange={(visitType) => change({ visitType })}
        />
        <Field label="Category" maxLength={200} value={draft.category} onChange={(category) => change({ category })} />
      </div>
      {draft.outcome === "APPROVED" ? (
        <>
          {draft.medicines.map((medicine, index) => (
            <MedicineRow
              key={medicine.id}
              medicine={medicine}
              position={index + 1}
              onChange={(part) => changeMedicine(medicine.id, part)}
              onRemove={() => change({ medicines: draft.medicines.filter(({ id }) => id !== medicine.id) })}
            />
          ))}
          <div>
            <Button isSmall onPress={() => change({ medicines: [...draft.medicines, emptyMedicine()] })}>
              Add a medicine
            </Button>
          </div>
        </>
      ) : null}
    </>
  )
}
