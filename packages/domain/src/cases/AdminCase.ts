import { Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { FormId, FormResponseId, OrganizationId, ProductId } from "../Ids.ts"
import { CaseDetail } from "./CaseDetail.ts"
import { Escalation } from "./Escalation.ts"
import { newestOf } from "./newestOf.ts"
import { VisitType } from "./VisitType.ts"

/** A product of a case is closed when its treatment ends. */
export const CaseProductStatus = Schema.Literals(["OPEN", "CLOSED"])
export type CaseProductStatus = typeof CaseProductStatus.Type

/**
 * A product of a case. `dueDate` is `YYYY-MM-DD`; `closeReason` is the reason given when it was closed. `price` is what it costs now, in major
 * units of `currency`.
 */
const CaseProduct = Schema.Struct({
  productId: ProductId,
  name: Schema.String,
  price: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String),
  status: CaseProductStatus,
  visitType: VisitType,
  dueDate: Schema.NullOr(Schema.String),
  closedAt: Schema.NullOr(Timestamp),
  closeReason: Schema.NullOr(Schema.String)
})

/**
 * An answered question of a form response. Answers that are not texts (ranges, files, lists) are JSON; files are named
 * by the ids of the case's attachments.
 */
export const FormAnswer = Schema.Struct({
  questionId: Schema.optionalKey(Schema.NullOr(Schema.String)),
  question: Schema.String,
  type: Schema.String,
  required: Schema.Boolean,
  phi: Schema.Boolean,
  options: Schema.Array(Schema.String),
  answer: Schema.String
})
export type FormAnswer = typeof FormAnswer.Type

/** The answers to one form of a case. */
export const FormResponse = Schema.Struct({
  id: FormResponseId,
  productId: Schema.NullOr(ProductId),
  formId: Schema.NullOr(FormId),
  title: Schema.String,
  description: Schema.NullOr(Schema.String),
  questions: Schema.Array(FormAnswer),
  createdAt: Timestamp
}).annotate({ identifier: "FormResponse" })
export type FormResponse = typeof FormResponse.Type

/** A case as the back office reads it: the partner's view, and more. */
export const AdminCase = Schema.Struct({
  ...CaseDetail.fields,
  organizationId: OrganizationId,
  isTest: Schema.Boolean,
  archiveReason: Schema.NullOr(Schema.String),
  archiveNote: Schema.NullOr(Schema.String),
  products: Schema.Array(CaseProduct),
  formResponses: newestOf(FormResponse),
  /** Whether form responses and attachments are left out, because the caller may not read them. */
  answersHidden: Schema.Boolean,
  /** Until when a provider who broke the glass sees the case. Null for all who see it anyway. */
  glassBrokenUntil: Schema.NullOr(Timestamp),
  escalations: newestOf(Escalation)
}).annotate({ identifier: "AdminCase" })
export type AdminCase = typeof AdminCase.Type
