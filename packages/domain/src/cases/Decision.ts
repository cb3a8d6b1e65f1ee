import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { ProductId } from "../Ids.ts"

/** How a prescriber is shown. */
export const PrescriberSummary = Schema.Struct({
  firstName: Schema.String,
  lastName: Schema.String,
  title: Schema.String,
  titleSuffix: Schema.String,
  email: Schema.String,
  phoneNumber: Schema.String,
  npi: Schema.String,
  dea: Schema.String,
  address: Schema.String,
  address2: Schema.NullOr(Schema.String),
  city: Schema.String,
  state: Schema.String,
  postalCode: Schema.String,
  country: Schema.NullOr(Schema.String)
})

/** One medicine of a decision. */
export const MedInfo = Schema.Struct({
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

/** What a prescriber decided on a case. */
export class Decision extends Schema.Class<Decision>("Decision")({
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
}) {}
