import { Schema } from "effect"
import { PrescriberSummary } from "../auth/PrescriberSummary.ts"
import { lengths } from "../http/bounds.ts"
import { atMost, listUpTo } from "../http/listUpTo.ts"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ProductId, UserId } from "../Ids.ts"
import { VisitType } from "./VisitType.ts"

const MedInfo = Schema.Struct({
  id: Schema.String,
  medicine: Schema.String,
  dosage: Schema.String,
  refillCount: Schema.Int,
  pharmacyInstructions: Schema.String,
  dosingFrequency: Schema.String,
  externalId: Schema.NullOr(Schema.String),
  isRefill: Schema.Boolean,
  treatmentPeriod: Schema.String,
  isPriorAuthRequested: Schema.Boolean
})

/** A prescriber's decision on a case. */
export const Decision = Schema.Struct({
  id: Schema.String,
  isApproved: Schema.Boolean,
  isNoDecision: Schema.Boolean,
  startDate: Timestamp,
  endDate: Timestamp,
  decisionText: Schema.String,
  category: Schema.NullOr(Schema.String),
  createdAt: Timestamp,
  visitType: Schema.String,
  productId: Schema.NullOr(ProductId),
  addedBy: PrescriberSummary,
  medInfo: Schema.Array(MedInfo)
}).annotate({ identifier: "Decision" })
export type Decision = typeof Decision.Type

const shortText = Schema.optional(textUpTo(lengths.wording))

/** A medicine of a new decision. */
export const NewMedInfo = Schema.Struct({
  medicine: nonBlankUpTo(lengths.wording),
  dosage: shortText,
  refillCount: Schema.optional(Schema.Int.check(Schema.isBetween({ minimum: 0, maximum: 1000 }))),
  pharmacyInstructions: Schema.optional(textUpTo(lengths.paragraph)),
  dosingFrequency: shortText,
  externalId: shortText,
  isRefill: Schema.optional(Schema.Boolean),
  treatmentPeriod: shortText,
  isPriorAuthRequested: Schema.optional(Schema.Boolean)
})

/** A new decision: approved, no decision, or (neither) rejected. */
export const NewDecision = Schema.Struct({
  addedByUserId: Schema.optional(UserId),
  isApproved: Schema.Boolean,
  isNoDecision: Schema.Boolean,
  decisionText: textUpTo(lengths.page),
  category: Schema.optional(nonBlankUpTo(lengths.line)),
  visitType: VisitType,
  productId: Schema.optional(ProductId),
  startDate: Timestamp,
  endDate: Timestamp,
  medInfo: listUpTo(NewMedInfo, atMost("medicines"))
}).check(
  Schema.makeFilter(({ endDate, isApproved, isNoDecision, startDate }) => [
    ...(isApproved && isNoDecision
      ? [{ path: ["isNoDecision"], issue: "must not be true together with isApproved" }]
      : []),
    ...(endDate < startDate ? [{ path: ["endDate"], issue: "must not be before startDate" }] : [])
  ])
)
export type NewDecision = typeof NewDecision.Type
