import { Schema } from "effect"
import { Mistake, mistakesText } from "../http/Mistake.ts"
import { BundleId, CaseId, FormId, OrderId, ProductId, UserId } from "../Ids.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { OrderStatus } from "./Order.ts"

/** No case of the organization has this id, or the customer has none. */
export class CaseNotFound extends Schema.TaggedError<CaseNotFound>()("CaseNotFound", {}) {}

/** The case belongs to another organization. */
export class CaseForbidden extends Schema.TaggedError<CaseForbidden>()("CaseForbidden", { caseId: CaseId }) {}

/** Neither a case id nor anything that identifies the customer was given. */
export class CustomerMissing extends Schema.TaggedError<CustomerMissing>()("CustomerMissing", {}) {}

/** The patient has a case that is being worked on, and `forceCreate` was not set. */
export class CaseConflict extends Schema.TaggedError<CaseConflict>()("CaseConflict", {}) {}

/** Fields that are well-formed but not acceptable: the first of them, and the others. */
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

/** An answer that does not fit its question. `questionId` is null for a question that came with the request. */
export class AnswerRefused extends Schema.TaggedError<AnswerRefused>()("AnswerRefused", {
  question: Schema.String,
  questionId: Schema.NullOr(Schema.String),
  reason: Schema.String
}) {}

/** The case that a form is submitted for is none of the organization's. */
export class CaseNotValid extends Schema.TaggedError<CaseNotValid>()("CaseNotValid", {}) {}

/** A file that is not taken. `path` is where it is in the body; `reason` quotes nothing of it. */
export class FileRefused extends Schema.TaggedError<FileRefused>()("FileRefused", {
  path: Schema.String,
  reason: Schema.String
}) {}

/** A link to a file that was not signed here, or has expired. */
export class DocumentLinkInvalid extends Schema.TaggedError<DocumentLinkInvalid>()("DocumentLinkInvalid", {}) {}

/** A form was submitted without a single answer. */
export class FormUnanswered extends Schema.TaggedError<FormUnanswered>()("FormUnanswered", {}) {}

/** The case's status does not allow the operation; `needed` says which do. */
export class CaseStatusConflict extends Schema.TaggedError<CaseStatusConflict>()("CaseStatusConflict", {
  status: CaseStatus,
  isArchived: Schema.Boolean,
  needed: Schema.Array(CaseStatus)
}) {}

/** A closed case takes the operation only once it is reopened. */
export class CaseClosed extends Schema.TaggedError<CaseClosed>()("CaseClosed", {}) {}

/** The case is to be reopened, and is not closed. */
export class CaseNotClosed extends Schema.TaggedError<CaseNotClosed>()("CaseNotClosed", {}) {}

/** A case with this status is not opened. */
export class CaseNotOpenable extends Schema.TaggedError<CaseNotOpenable>()("CaseNotOpenable", { status: CaseStatus }) {}

/** The product of the case is closed: it gets no due date, and is not closed again. */
export class CaseProductClosed extends Schema.TaggedError<CaseProductClosed>()("CaseProductClosed", {
  change: Schema.Literals(["close", "dueDate"])
}) {}

export class ProductNotInCase extends Schema.TaggedError<ProductNotInCase>()("ProductNotInCase", {
  productId: ProductId
}) {}

/** The user is not known to the organization of the case. */
export class UserNotInOrganization extends Schema.TaggedError<UserNotInOrganization>()("UserNotInOrganization", {
  userId: UserId
}) {}

export class BundleNotFound extends Schema.TaggedError<BundleNotFound>()("BundleNotFound", { bundleId: BundleId }) {}

export class OrderNotFound extends Schema.TaggedError<OrderNotFound>()("OrderNotFound", { orderId: OrderId }) {}

/** An order does not go from its status to the one asked for. */
export class OrderStatusConflict extends Schema.TaggedError<OrderStatusConflict>()("OrderStatusConflict", {
  status: OrderStatus,
  asked: OrderStatus
}) {}
