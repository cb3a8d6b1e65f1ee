import type { TimelineEntry } from "@care/domain/cases"
import { money } from "../../../ui/money.ts"
import { inWords } from "../../../ui/words.ts"
import type { Names } from "../data/useNames.ts"
import { dayInWords } from "../words.ts"

type Entry = Pick<TimelineEntry, "type" | "details" | "decision" | "escalation" | "payment">
type Words = (entry: Entry, names: Pick<Names, "personOf">) => string

const whom = (name: string | undefined): string => (name === "You" ? "you" : (name ?? "a provider"))

const decisionWords = ({ decision }: Entry): string => {
  if (decision === null) return "Decided"
  if (decision.isApproved) return "Approved"
  return decision.isNoDecision ? "Left undecided" : "Rejected"
}

const paymentWords = ({ details, payment }: Entry): string => {
  const status = inWords(details["status"] ?? "")
  const isKnown = payment !== null && payment.amount !== null && payment.currency !== null
  return isKnown ? `Payment of ${money(payment.amount, payment.currency)}: ${status}` : `Payment: ${status}`
}

const words: Readonly<Record<TimelineEntry["type"], Words>> = {
  CASE_CREATED: () => "Case created",
  CASE_ASSIGNED: ({ details }, { personOf }) => `Assigned to ${whom(personOf(details["providerId"]))}`,
  CASE_RELEASED: () => "Waits again, because its provider left",
  CASE_STARTED: () => "Work began",
  CASE_OPENED: () => "Opened: waits for a provider",
  CASE_CLOSED: () => "Closed",
  CASE_REOPENED: () => "Reopened",
  DECISION_ADDED: decisionWords,
  COMMENT_ADDED: () => "Comment",
  NOTE_ADDED: () => "Internal note",
  FILE_ATTACHED: () => "File added",
  FORM_SUBMITTED: () => "Form answered",
  ORDER_PLACED: () => "Medication ordered",
  ORDER_CHANGED: ({ details }) => `Order: ${inWords(details["status"] ?? "changed")}`,
  ESCALATION_ADDED: ({ escalation }) => (escalation === null ? "Escalated" : `Escalated: ${escalation.title}`),
  ESCALATION_COMPLETED: ({ escalation }) =>
    escalation === null ? "Escalation completed" : `Escalation completed: ${escalation.title}`,
  PRODUCT_CLOSED: () => "Product closed",
  PRODUCT_DUE_DATE_CHANGED: ({ details }) => `Product due ${dayInWords(details["dueDate"] ?? "")}`,
  PAYMENT_CHANGED: paymentWords,
  CALENDAR_EVENT_CREATED: () => "Appointment made",
  CALENDAR_EVENT_CANCELLED: () => "Appointment cancelled"
}

/** Returns what an entry of the timeline says happened. */
export const entryWords = (entry: Entry, names: Pick<Names, "personOf">): string => words[entry.type](entry, names)
