import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { anyCharacter } from "../testing/anyCharacter.ts"
import { currentTitle, EscalationType, escalationTitles } from "./escalationTitles.ts"

// The titles of each type in their order, and the replacement of each deprecated title.
const expected = {
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
    deprecated: [
      ["Address verification", "Waiting for patient reply"],
      ["Cancel Rx with Pharmacy", "Waiting on Pharmacy reply"],
      ["Broken contents", "Delivery/Fulfillment Issue"],
      ["Incorrect package contents", "Delivery/Fulfillment Issue"],
      ["Misdelivery", "Delivery/Fulfillment Issue"],
      ["Non-receipt of medication", "Delivery/Fulfillment Issue"],
      ["Order delays", "Delivery/Fulfillment Issue"],
      ["Refill not processed", "Delivery/Fulfillment Issue"],
      ["Shipping Delays", "Delivery/Fulfillment Issue"],
      ["Temperature concerns", "Delivery/Fulfillment Issue"],
      ["Order on a later date", "Hold Order"],
      ["Patient on vacation delay shipping", "Hold Order"],
      ["Patient has a question", "Patient has responded"],
      ["Price question", "Billing Question"],
      ["Promo code questions", "Billing Question"]
    ]
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
    deprecated: [
      ["Ready for Review", "Ready for Review - New"],
      ["Refill Ready for Review", "Ready for Review - Renewal"],
      ["Refill pending for review", "Ready for Review - Renewal"],
      ["PROVIDER - Rx Review Needed", "Ready for Review - Medication Change"],
      ["NURSING - Clarification Needed on Prescription", "Review Prescription"],
      ["NURSING - Dosing Adjustment Request", "Review Prescription"],
      ["NURSING - Medication Change Request", "Review Prescription"],
      ["NURSING - Nurse Contact Request (Phone)", "Contact Patient"],
      ["NURSING - Nurse Contact Request (Messaging)", "Contact Patient"],
      ["NURSING - Patient Reporting Side Effects", "Review Side Effects"],
      ["Provider Review - Severe Side Effect / Reaction", "Review Severe Side Effects"],
      ["Sign the medical necessity form", "Sign LMN"]
    ]
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
    deprecated: []
  }
} as const

describe("the titles of escalations", () => {
  it("are those that partners are told, no more and no fewer", () => {
    const described = EscalationType.literals.map((type) => {
      const { deprecated, valid } = escalationTitles[type]
      return [type, { valid, deprecated: Object.entries(deprecated) }]
    })
    assert.deepStrictEqual(Object.fromEntries(described), expected)
    const counts = Object.values(expected).map(({ deprecated, valid }) => [valid.length, deprecated.length])
    assert.deepStrictEqual(counts, [
      [26, 15],
      [15, 12],
      [23, 0]
    ])
  })

  it("are each there once, and what a deprecated one stands for is valid", () => {
    for (const type of EscalationType.literals) {
      const { deprecated, valid } = escalationTitles[type]
      const all = [...valid, ...Object.keys(deprecated)]
      assert.strictEqual(new Set(all).size, all.length, type)
      assert.includeMembers([...valid], Object.values(deprecated))
    }
  })
})

describe("currentTitle", () => {
  it("leaves a valid title as it is, and gives a deprecated one's replacement", () => {
    for (const type of EscalationType.literals) {
      for (const title of expected[type].valid) assert.strictEqual(currentTitle(type, title), title)
      for (const [title, replacement] of expected[type].deprecated) {
        assert.strictEqual(currentTitle(type, title), replacement)
      }
    }
  })

  it("knows no title of another type, in another letter case, or with other white space", () => {
    const known = EscalationType.literals.flatMap((type) =>
      [...expected[type].valid, ...expected[type].deprecated.map(([title]) => title)].map(
        (title) => [type, title] as const
      )
    )
    const isKnown = (type: EscalationType, title: string) => known.some(([t, k]) => t === type && k === title)
    const changes: ReadonlyArray<(title: string) => string> = [
      (title) => title,
      (title) => title.toLowerCase(),
      (title) => title.toUpperCase(),
      (title) => ` ${title}`,
      (title) => `${title} `,
      (title) => title.replace(" ", "  "),
      (title) => title.slice(1)
    ]
    for (const [, title] of known) {
      for (const type of EscalationType.literals) {
        for (const change of changes) {
          const changed = change(title)
          assert.strictEqual(currentTitle(type, changed) !== undefined, isKnown(type, changed), `${type} / ${changed}`)
        }
      }
    }
    assert.strictEqual(currentTitle("support", "Waiting for patient reply"), "Waiting for patient reply")
    assert.isUndefined(currentTitle("support", "Waiting for Patient Reply"))
    assert.isUndefined(currentTitle("clinical", "Waiting for patient reply"))
  })

  it("knows nothing of any other text, what every object of JavaScript has among it", () => {
    const names = ["constructor", "toString", "__proto__", "hasOwnProperty", "valueOf", "length", "0", ""]
    const texts = fc.oneof(fc.constantFrom(...names), fc.string({ unit: anyCharacter }))
    fc.assert(
      fc.property(fc.constantFrom(...EscalationType.literals), texts, (type, text) => {
        assert.isUndefined(currentTitle(type, text))
      })
    )
    for (const name of names) assert.isUndefined(currentTitle("support", name), name)
  })
})
