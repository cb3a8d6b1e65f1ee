import type { StepName } from "@care/domain/cases"
import type { ScenarioStep } from "./Scenario.ts"

/** What each simulated step is, in words. */
export const simulatedInWords = {
  ASSIGN: "A provider gets the case",
  START: "The provider begins",
  COMMENT: "The provider comments",
  APPROVE: "The provider approves",
  REJECT: "The provider rejects",
  NO_DECISION: "The provider makes no decision",
  ORDER_ACCEPTED: "The pharmacy accepts the order",
  ORDER_SHIPPED: "The pharmacy ships the order",
  ORDER_DELIVERED: "The order is delivered",
  ORDER_REFUSED: "The pharmacy refuses the order",
  ORDER_REPLACED: "The pharmacy replaces the medication",
  PAYMENT_SUCCEEDED: "The payment succeeds",
  PAYMENT_FAILED: "The payment fails",
  PAYMENT_AUTHORIZED: "The bank holds the amount",
  PAYMENT_CANCELED: "The held amount is released",
  PAYMENT_REFUNDED: "The payment is refunded",
  DISPUTE_OPENED: "The patient disputes the payment",
  DISPUTE_WON: "The dispute is won",
  DISPUTE_LOST: "The dispute is lost",
  APPOINTMENT_BOOKED: "An appointment is booked",
  APPOINTMENT_MOVED: "The appointment is moved",
  APPOINTMENT_MISSED: "The patient misses the appointment",
  ESCALATION_COMPLETED: "The care team completes the escalation",
  WEBHOOKS_FAIL: "Webhook endpoints fail for a while"
} as const satisfies Readonly<Record<StepName, string>>

const amount = (unit: "day" | "hour", count: string) =>
  Number(count).toLocaleString("en", { style: "unit", unit, unitDisplay: "long" })

const durationInWords = (duration: string): string => {
  const [, days, hours] = /^P(?:(\d+)D|T(\d+)H)$/.exec(duration) ?? []
  if (days !== undefined) return amount("day", days)
  return hours === undefined ? duration : amount("hour", hours)
}

/** Returns what happens in a step, as a sentence without its full stop. */
export const stepInWords = (step: ScenarioStep): string => {
  if ("create" in step) {
    const { checkout = "LATER" } = step.create
    return checkout === "LATER" ? "The partner creates a case" : "The patient begins a checkout"
  }
  if ("placeOrder" in step) return "The partner orders medication"
  if ("escalate" in step) return "The partner escalates the case"
  if ("answer" in step) return "The patient answers a form"
  if ("close" in step) return "The partner closes the case"
  if ("reopen" in step) return "The partner reopens the case"
  if ("advance" in step) return `Time passes: ${durationInWords(step.advance)}`
  if ("appointment" in step) return simulatedInWords[`APPOINTMENT_${step.appointment}`]
  return simulatedInWords[step.simulate.step]
}
