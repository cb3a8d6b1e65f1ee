import { Schema } from "effect"
import { Mistake, mistakesText } from "../http/RequestErrors.ts"
import { BundleId, CaseId, DocumentId, FormId, OrderId, ProductId, UserId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { OrderStatus } from "./Order.ts"

/** No case of the organization has this id, or the customer has none. */
export class CaseNotFound extends Schema.TaggedError<CaseNotFound>()("CaseNotFound", {}) {}

/** The case belongs to another organization. */
export class CaseForbidden extends Schema.TaggedError<CaseForbidden>()("CaseForbidden", { caseId: CaseId }) {}

/** The request identifies neither a case nor a customer. */
export class CustomerMissing extends Schema.TaggedError<CustomerMissing>()("CustomerMissing", {}) {}

/** The patient has an active case, and `forceCreate` was not set. */
export class CaseConflict extends Schema.TaggedError<CaseConflict>()("CaseConflict", {}) {}

/** Fields that are well-formed but not acceptable: the first one, and the others. */
export class FieldUnacceptable extends Schema.TaggedError<FieldUnacceptable>()("FieldUnacceptable", {
  ...Mistake.fields,
  others: Schema.optionalKey(Schema.Array(Mistake))
}) {
  /** `<path>, <reason>; <path>, <reason>`. */
  get text(): string {
    return mistakesText([this, ...(this.others ?? [])])
  }
}

export class ProductNotFound extends Schema.TaggedError<ProductNotFound>()("ProductNotFound", {
  productId: ProductId
}) {}

export class FormNotFound extends Schema.TaggedError<FormNotFound>()("FormNotFound", { formId: FormId }) {}

/** The title belongs to another form of dynamic cases, which are found by it. */
export class FormTitleTaken extends Schema.TaggedError<FormTitleTaken>()("FormTitleTaken", {}) {}

/** An answer does not fit its question. `questionId` is null for a question that came with the request. */
export class AnswerRefused extends Schema.TaggedError<AnswerRefused>()("AnswerRefused", {
  question: Schema.String,
  questionId: Schema.NullOr(Schema.String),
  reason: Schema.String
}) {}

/** The organization has no case that the form could be submitted for. */
export class CaseNotValid extends Schema.TaggedError<CaseNotValid>()("CaseNotValid", {}) {}

/** A file is refused. `path` is its place in the body; `reason` quotes none of its content. */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", {
  path: Schema.String,
  reason: Schema.String
}) {}

/** The signature of a file link is wrong, or the link has expired. */
export class DocumentLinkInvalid extends Schema.TaggedError<DocumentLinkInvalid>()("DocumentLinkInvalid", {}) {}

/** The case has no file with the id. */
export class DocumentNotFound extends Schema.TaggedError<DocumentNotFound>()("DocumentNotFound", {
  documentId: DocumentId
}) {}

/** A form was submitted without an answer. */
export class FormUnanswered extends Schema.TaggedError<FormUnanswered>()("FormUnanswered", {}) {}

/** The case's status does not allow the operation; `needed` has those that do. `last` says who moved the case last, and when. */
export class CaseStatusConflict extends Schema.TaggedError<CaseStatusConflict>()("CaseStatusConflict", {
  status: CaseStatus,
  isArchived: Schema.Boolean,
  needed: Schema.Array(CaseStatus),
  last: Schema.optionalKey(Schema.Struct({ text: Schema.String, at: Schema.Date }))
}) {}

/** Another provider has the case that somebody would take, since `assignedAt`. */
export class CaseTaken extends Schema.TaggedError<CaseTaken>()("CaseTaken", {
  firstName: Schema.String,
  lastName: Schema.String,
  assignedAt: Schema.Date
}) {}

/** The case is closed, and must be reopened first. */
export class CaseClosed extends Schema.TaggedError<CaseClosed>()("CaseClosed", {}) {}

/** The case to reopen is not closed. */
export class CaseNotClosed extends Schema.TaggedError<CaseNotClosed>()("CaseNotClosed", {}) {}

/** A case with this status cannot be opened. */
export class CaseNotOpenable extends Schema.TaggedError<CaseNotOpenable>()("CaseNotOpenable", { status: CaseStatus }) {}

/** The product of the case is closed: it cannot be changed. */
export class CaseProductClosed extends Schema.TaggedError<CaseProductClosed>()("CaseProductClosed", {
  change: Schema.Literals(["close", "dueDate"])
}) {}

export class ProductNotInCase extends Schema.TaggedError<ProductNotInCase>()("ProductNotInCase", {
  productId: ProductId
}) {}

/** The organization of the case does not know the user. */
export class UserNotInOrganization extends Schema.TaggedError<UserNotInOrganization>()("UserNotInOrganization", {
  userId: UserId
}) {}

export class BundleNotFound extends Schema.TaggedError<BundleNotFound>()("BundleNotFound", { bundleId: BundleId }) {}

export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", { orderId: OrderId }) {}

/** An order cannot move from its status to the requested one. */
export class OrderStatusConflict extends Schema.TaggedError<OrderStatusConflict>()("OrderStatusConflict", {
  status: OrderStatus,
  requested: OrderStatus
}) {}
