import { Schema } from "effect"

const types = ["support", "clinical", "external"] as const

/** The team that an escalation is for. */
export const EscalationType = Schema.Literals(types).annotate({
  message: `Invalid type. Must be one of: ${types.join(", ")}`
})
export type EscalationType = typeof EscalationType.Type

/** The valid titles of a type, and the deprecated ones with their replacements. */
interface TitlesOfType {
  readonly valid: ReadonlyArray<string>
  readonly deprecated: Readonly<Record<string, string>>
}

/**
 * The titles of all types. They are exact: `Waiting for patient reply` (support) is not `Waiting for Patient Reply`
 * (clinical).
 */
export const escalationTitles = {
  support: {
    valid: [
      "Cancellation",
      "Hold Order",
      "Missing ID",
      "ID received -ready to process",
      "Missed appointment -reschedule",
      "Order Medication",
      "Waiting for patient reply",
      "Lab request",
      "Payment Link Generated",
      "Payment Received",
      "Missing CIF",
      "Payment Confirmation Received",
      "Payment: Refund Request",
      "Waiting on Pharmacy reply",
      "Waiting on External support reply",
      "Patient has responded",
      "Call Back Needed - English",
      "Call Back Needed - Spanish",
      "Possible Dispute",
      "Lab Results Uploaded",
      "Erx Order Approved",
      "Case Denied",
      "Delivery/Fulfillment Issue",
      "Billing Question",
      "OUTBOUND - Welcome Call",
      "AGENT - Product Add-on"
    ],
    deprecated: {
      "Address verification": "Waiting for patient reply",
      "Cancel Rx with Pharmacy": "Waiting on Pharmacy reply",
      "Broken contents": "Delivery/Fulfillment Issue",
      "Incorrect package contents": "Delivery/Fulfillment Issue",
      Misdelivery: "Delivery/Fulfillment Issue",
      "Non-receipt of medication": "Delivery/Fulfillment Issue",
      "Order delays": "Delivery/Fulfillment Issue",
      "Refill not processed": "Delivery/Fulfillment Issue",
      "Shipping Delays": "Delivery/Fulfillment Issue",
      "Temperature concerns": "Delivery/Fulfillment Issue",
      "Order on a later date": "Hold Order",
      "Patient on vacation delay shipping": "Hold Order",
      "Patient has a question": "Patient has responded",
      "Price question": "Billing Question",
      "Promo code questions": "Billing Question"
    }
  },
  clinical: {
    valid: [
      "Contact Patient",
      "Delinquent Task",
      "Lab Review",
      "NURSING - Nausea Medication Request",
      "Patient has responded to providers question",
      "Place Erx Order",
      "Ready for Review - Medication Change",
      "Ready for Review - New",
      "Ready for Review - Renewal",
      "Review Erx Order",
      "Review Prescription",
      "Review Severe Side Effects",
      "Review Side Effects",
      "Sign LMN",
      "Waiting for Patient Reply"
    ],
    deprecated: {
      "Ready for Review": "Ready for Review - New",
      "Refill Ready for Review": "Ready for Review - Renewal",
      "Refill pending for review": "Ready for Review - Renewal",
      "PROVIDER - Rx Review Needed": "Ready for Review - Medication Change",
      "NURSING - Clarification Needed on Prescription": "Review Prescription",
      "NURSING - Dosing Adjustment Request": "Review Prescription",
      "NURSING - Medication Change Request": "Review Prescription",
      "NURSING - Nurse Contact Request (Phone)": "Contact Patient",
      "NURSING - Nurse Contact Request (Messaging)": "Contact Patient",
      "NURSING - Patient Reporting Side Effects": "Review Side Effects",
      "Provider Review - Severe Side Effect / Reaction": "Review Severe Side Effects",
      "Sign the medical necessity form": "Sign LMN"
    }
  },
  external: {
    valid: [
      "Patient requesting to cancel Sub",
      "ID Verification",
      "Missing Payment",
      "Payment Issue",
      "Disgruntled Customer",
      "Cost Questions",
      "Check-in form received - Missing payment",
      "Miscellaneous",
      "Assignment: Assign New Provider",
      "Antinausea Request",
      "Nursing Review",
      "Account Manager Request",
      "No Decision For Case",
      "Payment Received",
      "Missing CIF",
      "Virtual Consult - Sync Review",
      "Possible Dispute",
      "Lab Request",
      "Lab Request Placed",
      "Lab Results Ready for Review",
      "Pharmacy Delay",
      "Refund Needed",
      "Subscription Change"
    ],
    deprecated: {}
  }
} as const satisfies Record<EscalationType, TitlesOfType>

const titlesOf: Readonly<Record<EscalationType, TitlesOfType>> = escalationTitles

/** Returns the valid title for a title of a type, which is itself or its replacement; undefined for an unknown one. */
export const currentTitle = (type: EscalationType, title: string): string | undefined => {
  const { deprecated, valid } = titlesOf[type]
  if (valid.includes(title)) return title
  return Object.hasOwn(deprecated, title) ? deprecated[title] : undefined
}
