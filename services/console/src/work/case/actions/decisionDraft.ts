import type { AdminCase, NewDecision } from "@care/domain/cases"
import { VisitType } from "@care/domain/cases/VisitType"
import { Schema } from "effect"

export const MedicineDraft = Schema.Struct({
  id: Schema.String,
  medicine: Schema.String,
  dosage: Schema.String,
  dosingFrequency: Schema.String,
  treatmentPeriod: Schema.String,
  refillCount: Schema.String,
  pharmacyInstructions: Schema.String,
  externalId: Schema.String,
  isRefill: Schema.Boolean,
  isPriorAuthRequested: Schema.Boolean
})
export type MedicineDraft = typeof MedicineDraft.Type

export const Outcome = Schema.Literals(["APPROVED", "REJECTED", "NO_DECISION"])
export type Outcome = typeof Outcome.Type

/** A decision as it is typed. Days are `YYYY-MM-DD`; `productId` is empty for the whole case. */
export const DecisionDraft = Schema.Struct({
  outcome: Schema.NullOr(Outcome),
  decisionText: Schema.String,
  category: Schema.String,
  visitType: VisitType,
  productId: Schema.String,
  startDate: Schema.String,
  endDate: Schema.String,
  medicines: Schema.Array(MedicineDraft)
})
export type DecisionDraft = typeof DecisionDraft.Type

const dayIn = (days: number): string => {
  const at = new Date()
  at.setDate(at.getDate() + days)
  return [at.getFullYear(), at.getMonth() + 1, at.getDate()].map((part) => String(part).padStart(2, "0")).join("-")
}

export const emptyDecision = ({ type }: Pick<AdminCase, "type">): DecisionDraft => ({
  outcome: null,
  decisionText: "",
  category: "",
  visitType: type,
  productId: "",
  startDate: dayIn(0),
  endDate: dayIn(90),
  medicines: []
})

export const emptyMedicine = (): MedicineDraft => ({
  id: crypto.randomUUID(),
  medicine: "",
  dosage: "",
  dosingFrequency: "",
  treatmentPeriod: "",
  refillCount: "0",
  pharmacyInstructions: "",
  externalId: "",
  isRefill: false,
  isPriorAuthRequested: false
})

const medicineOf = ({ externalId, id: _, medicine, refillCount, ...rest }: MedicineDraft) => ({
  ...rest,
  medicine: medicine.trim(),
  refillCount: Number(refillCount),
  ...(externalId.trim() !== "" && { externalId: externalId.trim() })
})

/** The medicines of a decision. Only an approval has some. */
export const medicinesOf = ({ medicines, outcome }: DecisionDraft) =>
  outcome === "APPROVED" ? medicines.map(medicineOf) : []

/** Returns what is missing or wrong, or undefined if the decision can be made. */
export const mistakeIn = (draft: DecisionDraft): string | undefined => {
  const { endDate, outcome, startDate } = draft
  if (outcome === null) return "Choose whether you approve, reject or leave it undecided."
  if (startDate === "" || endDate === "") return "Enter from when and until when it is valid."
  if (endDate < startDate) return "It cannot end before it begins."
  const medicines = medicinesOf(draft)
  if (medicines.some(({ medicine }) => medicine === "")) return "Name each medicine, or remove its row."
  const isCount = (count: number) => Number.isInteger(count) && count >= 0 && count <= 1000
  if (!medicines.every(({ refillCount }) => isCount(refillCount))) return "Refills are a number from 0 to 1000."
  return undefined
}

/** Returns the decision to send. */
export const decisionOf = (draft: DecisionDraft, products: AdminCase["products"]): NewDecision => {
  const { category, decisionText, endDate, outcome, startDate, visitType } = draft
  const product = products.find(({ productId }) => productId === draft.productId)
  return {
    isApproved: outcome === "APPROVED",
    isNoDecision: outcome === "NO_DECISION",
    decisionText,
    visitType,
    startDate: new Date(`${startDate}T00:00:00Z`),
    endDate: new Date(`${endDate}T00:00:00Z`),
    medInfo: medicinesOf(draft),
    ...(category.trim() !== "" && { category: category.trim() }),
    ...(product !== undefined && { productId: product.productId })
  }
}
