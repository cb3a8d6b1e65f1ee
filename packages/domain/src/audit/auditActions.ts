import { Record, Schema } from "effect"
import type { CaseActivityType } from "../cases/caseActivities.ts"
import { ApiKeyId } from "../Ids.ts"

const dataKinds = [
  "PROFILE",
  "SIGN_IN",
  "CASES",
  "ACTIVITY",
  "FORMS",
  "COMMENTS",
  "DECISIONS",
  "DOCUMENTS",
  "ORDERS",
  "ESCALATIONS",
  "PAYMENTS",
  "APPOINTMENTS"
] as const

/**
 * The kinds of a patient's data that a record may name. They are stored as bits in this order: new ones go to the end. `BREAK_GLASS` marks
 * what a provider read of a case that they had opened by breaking the glass.
 */
export const DataKind = Schema.Literals([...dataKinds, "BREAK_GLASS"])
export type DataKind = typeof DataKind.Type

interface AuditedAction {
  readonly summary: string
  /** The kinds of data of the action's records, unless a record says otherwise. */
  readonly kinds: ReadonlyArray<DataKind>
}

// Changes of a case have the names of its activities. The type demands an entry for each new one.
const caseChanges = {
  CASE_CREATED: { summary: "A case was created", kinds: ["CASES", "FORMS"] },
  CASE_ASSIGNED: { summary: "A provider was given a case", kinds: ["CASES"] },
  CASE_RELEASED: { summary: "A case was taken from a provider who left", kinds: ["CASES"] },
  CASE_STARTED: { summary: "A provider began work on a case", kinds: ["CASES"] },
  CASE_OPENED: { summary: "A case was opened", kinds: ["CASES"] },
  CASE_CLOSED: { summary: "A case was closed", kinds: ["CASES"] },
  CASE_REOPENED: { summary: "A case was reopened", kinds: ["CASES"] },
  DECISION_ADDED: { summary: "A provider decided on a case", kinds: ["CASES", "DECISIONS"] },
  COMMENT_ADDED: { summary: "Somebody commented on a case", kinds: ["COMMENTS"] },
  NOTE_ADDED: { summary: "An internal note was added to a case", kinds: ["COMMENTS"] },
  FILE_ATTACHED: { summary: "A file was attached to a case", kinds: ["DOCUMENTS"] },
  FORM_SUBMITTED: { summary: "A form was answered", kinds: ["FORMS"] },
  ORDER_PLACED: { summary: "Medication was ordered", kinds: ["ORDERS"] },
  ORDER_CHANGED: { summary: "An order was changed", kinds: ["ORDERS"] },
  ESCALATION_ADDED: { summary: "A case was escalated", kinds: ["ESCALATIONS"] },
  ESCALATION_COMPLETED: { summary: "An escalation was completed", kinds: ["ESCALATIONS"] },
  PRODUCT_CLOSED: { summary: "A product of a case was closed", kinds: ["CASES"] },
  PRODUCT_DUE_DATE_CHANGED: { summary: "A product of a case got another due date", kinds: ["CASES"] },
  PAYMENT_CHANGED: { summary: "A payment was made, or stands elsewhere", kinds: ["PAYMENTS"] },
  CALENDAR_EVENT_CREATED: { summary: "An event was put into the calendar of a case", kinds: ["APPOINTMENTS"] },
  CALENDAR_EVENT_CANCELLED: { summary: "An event in the calendar of a case was cancelled", kinds: ["APPOINTMENTS"] }
} as const satisfies Record<CaseActivityType, AuditedAction>

const keyChanges = {
  KEY_ISSUED: { summary: "An API key was issued", kinds: [] },
  KEY_CHANGED: { summary: "An API key was changed", kinds: [] },
  KEY_REVOKED: { summary: "An API key was revoked", kinds: [] }
} as const satisfies Record<string, AuditedAction>

// Who may read or change patients' data. Such a record is about a member of staff or an API key.
const accessChanges = {
  STAFF_SIGNED_IN: { summary: "A member of staff signed in", kinds: [] },
  SECOND_FACTOR_ADDED: { summary: "A member of staff got a passkey, or new recovery codes", kinds: [] },
  SECOND_FACTOR_REMOVED: { summary: "A passkey of a member of staff was removed", kinds: [] },
  SECOND_FACTOR_RESET: { summary: "The sign-in of a member of staff was reset", kinds: [] },
  MEMBER_ADDED: { summary: "A member of staff was added", kinds: [] },
  MEMBER_CHANGED: { summary: "A member of staff was changed", kinds: [] },
  MEMBER_REMOVED: { summary: "A member of staff was removed", kinds: [] },
  ...keyChanges,
  SINGLE_SIGN_ON_CHANGED: { summary: "Single sign-on was set or removed", kinds: [] }
} as const satisfies Record<string, AuditedAction>

/** Returns whom a record is about, of its subject as it is stored: a person, or an API key if the action changes one. */
export const subjectOf = <Id extends string>(
  action: string,
  subject: Id | null
): { readonly userId: Id | null; readonly apiKeyId?: ApiKeyId } =>
  Object.hasOwn(keyChanges, action) && subject !== null
    ? { userId: null, apiKeyId: ApiKeyId.make(subject) }
    : { userId: subject }

/** Returns whether an action changes who may read or change patients' data. */
export const isAccessChange = (action: AuditAction): boolean => Object.hasOwn(accessChanges, action)

/** The actions of audit records, with a summary and the kinds of data that they concern. */
export const auditActions = {
  ...caseChanges,
  CASE_READ: { summary: "A case was read, or one of its lists", kinds: ["CASES"] },
  CASE_FOUND: { summary: "A case was found, by whose it is or in a search", kinds: ["CASES"] },
  GLASS_BROKEN: {
    summary: "A provider opened a case that is not theirs, for an hour and with a reason",
    kinds: ["CASES"]
  },
  STEP_SIMULATED: { summary: "A step of others was simulated for a case of a sandbox", kinds: ["CASES"] },
  SANDBOX_RESET: { summary: "The cases and patients of a sandbox were removed", kinds: dataKinds },
  CLOCK_ADVANCED: { summary: "The clock of a sandbox was moved forward", kinds: [] },
  DOCUMENT_READ: { summary: "A file was downloaded", kinds: ["DOCUMENTS"] },
  PATIENT_ENROLLED: { summary: "A patient was made known to an organization", kinds: ["PROFILE"] },
  PATIENT_FOUND: { summary: "Somebody asked whether a user exists, and learnt that one does", kinds: ["PROFILE"] },
  PATIENT_REMOVED: { summary: "A patient was removed", kinds: ["PROFILE", "SIGN_IN"] },
  PATIENT_EXPORTED: { summary: "Everything that is kept of a patient was exported", kinds: dataKinds },
  PATIENT_ERASED: { summary: "A patient was erased", kinds: dataKinds },
  PROFILE_READ: { summary: "A profile was read", kinds: ["PROFILE"] },
  PROFILE_CHANGED: { summary: "A profile was changed", kinds: ["PROFILE"] },
  EMAIL_CHANGED: { summary: "A patient was given another email", kinds: ["PROFILE", "SIGN_IN"] },
  SIGNED_IN: { summary: "A patient signed in", kinds: ["SIGN_IN"] },
  SESSION_RENEWED: { summary: "A patient's session was continued", kinds: ["SIGN_IN"] },
  SIGNED_OUT: { summary: "A patient signed out", kinds: ["SIGN_IN"] },
  PAYMENTS_READ: { summary: "Payments were read, or what the payment gateway told of them", kinds: ["PAYMENTS"] },
  PAYMENT_METHOD_SAVED: { summary: "A payment method or a shipping address was saved", kinds: ["PAYMENTS"] },
  PAYMENT_CONFIRMED: { summary: "A payment was confirmed to belong to a case", kinds: ["PAYMENTS"] },
  APPOINTMENTS_READ: { summary: "Appointments were read", kinds: ["APPOINTMENTS"] },
  CANCELLATION_ASKED: { summary: "The provider was asked to call an appointment off", kinds: ["APPOINTMENTS"] },
  CALENDAR_EVENT_CHANGED: { summary: "An event in the calendar of a case was changed", kinds: ["APPOINTMENTS"] },
  ...accessChanges
} as const satisfies Record<string, AuditedAction>

export const AuditAction = Schema.Literals(Record.keys(auditActions))
export type AuditAction = typeof AuditAction.Type
