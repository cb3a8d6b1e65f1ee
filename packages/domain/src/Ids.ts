import { Schema, SchemaTransformation } from "effect"

/** A UUID: in any letter case on the wire, in lower case once decoded. */
export const Uuid = Schema.String.check(Schema.isUUID(undefined, { message: "must be a valid UUID" })).pipe(
  Schema.decode(SchemaTransformation.toLowerCase())
)

/** A UUID of version 4. */
export const UuidV4 = Schema.String.check(Schema.isUUID(4, { message: "must be a valid UUID of version 4" })).pipe(
  Schema.decode(SchemaTransformation.toLowerCase())
)

/** An organization: a partner of the platform. */
export const OrganizationId = Uuid.pipe(Schema.brand("OrganizationId"))
export type OrganizationId = typeof OrganizationId.Type

/** The reserved organization in the first cell whose members are the platform's operators. It has no API keys and no cases, and no list shows it. */
export const platformId = OrganizationId.make("00000000-0000-4000-8000-0000000c0de0")

/** The organization of what belongs to none, such as the first requests of a sign-in. No organization has this id. */
export const nobodysId = OrganizationId.make("00000000-0000-4000-8000-000000000000")

/** A move of a sandbox organization's clock. */
export const ClockAdvanceId = Uuid.pipe(Schema.brand("ClockAdvanceId"))
export type ClockAdvanceId = typeof ClockAdvanceId.Type

export const ApiKeyId = Uuid.pipe(Schema.brand("ApiKeyId"))
export type ApiKeyId = typeof ApiKeyId.Type

/** A person: a patient or a member of staff. */
export const UserId = Uuid.pipe(Schema.brand("UserId"))
export type UserId = typeof UserId.Type

export const CaseId = Uuid.pipe(Schema.brand("CaseId"))
export type CaseId = typeof CaseId.Type

export const ProductId = Uuid.pipe(Schema.brand("ProductId"))
export type ProductId = typeof ProductId.Type

export const FormId = Uuid.pipe(Schema.brand("FormId"))
export type FormId = typeof FormId.Type

export const QuestionId = Uuid.pipe(Schema.brand("QuestionId"))

/** The answers of a case to one form. */
export const FormResponseId = Uuid.pipe(Schema.brand("FormResponseId"))
export type FormResponseId = typeof FormResponseId.Type

export const BundleId = Uuid.pipe(Schema.brand("BundleId"))
export type BundleId = typeof BundleId.Type

export const MessageId = Uuid.pipe(Schema.brand("MessageId"))
export type MessageId = typeof MessageId.Type

/** A patient's session: a family of refresh tokens. */
export const SessionId = Uuid.pipe(Schema.brand("SessionId"))
export type SessionId = typeof SessionId.Type

/** The session of a member of staff. */
export const StaffSessionId = Uuid.pipe(Schema.brand("StaffSessionId"))
export type StaffSessionId = typeof StaffSessionId.Type

/** A passkey of a member of staff. */
export const PasskeyId = Uuid.pipe(Schema.brand("PasskeyId"))
export type PasskeyId = typeof PasskeyId.Type

export const PaymentId = Uuid.pipe(Schema.brand("PaymentId"))
export type PaymentId = typeof PaymentId.Type

/** One attempt to create a case with a payment, which is prepared for it. */
export const PreparationId = Uuid.pipe(Schema.brand("PreparationId"))

export const PromoCodeId = Uuid.pipe(Schema.brand("PromoCodeId"))
export type PromoCodeId = typeof PromoCodeId.Type

export const JobId = Uuid.pipe(Schema.brand("JobId"))
export type JobId = typeof JobId.Type

export const OrderId = Uuid.pipe(Schema.brand("OrderId"))
export type OrderId = typeof OrderId.Type

export const EscalationId = Uuid.pipe(Schema.brand("EscalationId"))
export type EscalationId = typeof EscalationId.Type

/** A file of a case. */
export const DocumentId = Uuid.pipe(Schema.brand("DocumentId"))
export type DocumentId = typeof DocumentId.Type

/** An event in the calendar of a case, such as an appointment. */
export const CalendarEventId = Uuid.pipe(Schema.brand("CalendarEventId"))
export type CalendarEventId = typeof CalendarEventId.Type

export const WebhookEndpointId = Uuid.pipe(Schema.brand("WebhookEndpointId"))
export type WebhookEndpointId = typeof WebhookEndpointId.Type

/** An event of a webhook: the `webhook-id` of each of its attempts. */
export const WebhookEventId = Uuid.pipe(Schema.brand("WebhookEventId"))
export type WebhookEventId = typeof WebhookEventId.Type

/** The delivery of an event to an endpoint. */
export const WebhookDeliveryId = Uuid.pipe(Schema.brand("WebhookDeliveryId"))
export type WebhookDeliveryId = typeof WebhookDeliveryId.Type
