import type { AdminCase, NewDecision } from "@care/domain/cases"
import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { flushSync } from "react-dom"
import { Button } from "../../../ui/Button.tsx"
import { Confirmation } from "../../../ui/Confirmation.tsx"
import { Skeleton } from "../../../ui/Skeleton.tsx"
import { backOffice } from "../data/caseClients.ts"
import { patientQuery } from "../data/caseQueries.ts"
import { useCaseAction } from "../data/useCaseAction.ts"
import { fullName } from "../data/useNames.ts"
import { useDraft } from "../drafts/useDraft.ts"
import { Allergies } from "../patient/Allergies.tsx"
import { birthInWords } from "../patient/PatientFacts.tsx"
import { MedicineList } from "../timeline/MedicineList.tsx"
import { dayInWords } from "../words.ts"
import { DecisionFields } from "./DecisionFields.tsx"
import { DecisionDraft, decisionOf, emptyDecision, medicinesOf, mistakeIn, type Outcome } from "./decisionDraft.ts"
import { FormPanel } from "./FormPanel.tsx"

const verbs: Readonly<Record<Outcome, string>> = {
  APPROVED: "Approve",
  REJECTED: "Reject",
  NO_DECISION: "Leave undecided"
}

const list = new Intl.ListFormat("en", { type: "conjunction" })

const namesOf = (products: AdminCase["products"]) =>
  list
    .formatToParts(products.map(({ name }) => name))
    .map(({ type, value }, index) => (type === "element" ? <bdi key={index}>{value}</bdi> : value))

/** What is decided on: a product, or the whole case with its products. */
const Subject = ({ productId, products }: { readonly productId: string; readonly products: AdminCase["products"] }) => {
  const product = products.find((each) => each.productId === productId)
  if (product !== undefined) return <bdi>{product.name}</bdi>
  return products.length === 0 ? "the whole case" : <>the whole case ({namesOf(products)})</>
}

interface DecisionFormProps {
  readonly caseDetail: AdminCase
  readonly onClose: () => void
}

/** Decides on a case, after a confirmation that names the patient and says the decision in words. */
export const DecisionForm = ({ caseDetail, onClose }: DecisionFormProps) => {
  const { id: caseId, products, submitter } = caseDetail
  const draft = useDraft(`decision ${caseId}`, DecisionDraft, () => emptyDecision(caseDetail))
  const [mistake, setMistake] = useState<string | undefined>(undefined)
  const [isConfirming, setConfirming] = useState(false)
  const { dob = "" } = useQuery(patientQuery(caseId)).data ?? {}
  const decide = useCaseAction(
    caseId,
    (payload: NewDecision) => backOffice.decide({ params: { caseId }, payload }),
    "Decision made"
  )
  if (draft.value === undefined) return <Skeleton />
  const { value } = draft
  const verb = value.outcome === null ? "Decide" : verbs[value.outcome]
  const patient = `${fullName(submitter)}${dob === "" ? "" : `, born ${birthInWords(dob)}`}`
  const ask = () => {
    const found = mistakeIn(value)
    setMistake(found)
    setConfirming(found === undefined)
  }
  return (
    <FormPanel title="Decide" onClose={onClose} onSubmit={ask}>
      <DecisionFields draft={value} products={products} change={draft.change} />
      {mistake === undefined ? null : (
        <p role="alert" className="text-bad">
          {mistake}
        </p>
      )}
      <div className="flex justify-end gap-2">
        <Button onPress={onClose}>Close</Button>
        <Button look="primary" type="submit">
          {verb}
        </Button>
      </div>
      <Confirmation
        title={`${verb} for ${fullName(submitter)}?`}
        action={verb}
        isDanger={value.outcome === "REJECTED"}
        isOpen={isConfirming}
        onClose={() => setConfirming(false)}
        onConfirm={async () => {
          await decide.mutateAsync(decisionOf(value, products))
          draft.forget()
          onClose()
        }}
      >
        <p dir="auto" className="break-words">
          {verb} <Subject productId={value.productId} products={products} /> for <strong>{patient}</strong>, from{" "}
          {dayInWords(value.startDate)} to {dayInWords(value.endDate)}.
        </p>
        <Allergies caseDetail={caseDetail} onLeave={() => flushSync(() => setConfirming(false))} />
        <MedicineList medicines={medicinesOf(value)} />
        <p className="text-muted">
          The partner is told at once. A decision cannot be taken back; you can make another one later.
        </p>
      </Confirmation>
    </FormPanel>
  )
}
