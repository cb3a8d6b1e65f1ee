import { Schema } from "effect"
import { TwoLetters, UsState } from "../http/addressCodes.ts"
import { counts, lengths } from "../http/bounds.ts"
import { Email } from "../http/Email.ts"
import { listUpTo } from "../http/listUpTo.ts"
import { WrittenPhoneNumber } from "../http/PhoneNumber.ts"
import { codeLike, lineUpTo, nameUpTo, nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { CustomFields } from "./CustomFields.ts"

const Address = Schema.Struct({
  addressLine1: nonBlankUpTo(lengths.line),
  addressLine2: Schema.optional(textUpTo(lengths.line)),
  city: nonBlankUpTo(lengths.name),
  state: UsState,
  country: TwoLetters,
  postalCode: codeLike(/^\d{5}$/u, "must be exactly 5 digits").annotate({
    description: "A US postal code: exactly 5 digits"
  })
})

const healthText = Schema.optional(textUpTo(lengths.paragraph))
const shortText = Schema.optional(textUpTo(lengths.code))

const Prescriber = Schema.Struct({
  firstName: nameUpTo(lengths.name),
  lastName: nameUpTo(lengths.name),
  npi: nonBlankUpTo(lengths.code),
  email: Email,
  phoneNumber: WrittenPhoneNumber,
  address: Address,
  title: Schema.optional(lineUpTo(lengths.name)),
  titleSuffix: Schema.optional(lineUpTo(lengths.name)),
  dea: shortText
})

const Count = Schema.Finite.check(
  Schema.isBetween({ minimum: 0, maximum: 10_000 }, { message: "must be a number from 0 to 10000" })
)

const PrescriptionItem = Schema.Struct({
  drugId: nonBlankUpTo(lengths.reference),
  quantity: nonBlankUpTo(lengths.code),
  direction: Schema.optional(textUpTo(lengths.paragraph)),
  refillCount: Schema.optional(Count),
  supplyDays: Schema.optional(Count),
  customFields: Schema.optional(CustomFields)
})

/** A medication order of a partner: prescriber, prescription and pharmacy. */
const NewOrder = Schema.Struct({
  shippingAddress: Schema.optional(Address),
  patientHealthInfo: Schema.optional(
    Schema.Struct({ allergies: healthText, healthConditions: healthText, currentMedications: healthText })
  ),
  prescriber: Prescriber,
  diagnosis: nonBlankUpTo(lengths.paragraph),
  pharmacyId: nonBlankUpTo(lengths.reference),
  dateWritten: shortText,
  dateSigned: shortText,
  datePrescribed: shortText,
  prescriptionItems: listUpTo(PrescriptionItem, {
    emptyMessage: "At least one prescription item is required",
    max: counts.prescriptionItems,
    tooManyMessage: `At most ${counts.prescriptionItems} prescription items are possible`
  })
})

/** The body of PLACE_ORDER. */
export const PlaceOrder = Schema.Struct({
  action: Schema.Literal("PLACE_ORDER"),
  idempotencyKey: Schema.optional(nonBlankUpTo(lengths.reference)),
  order: NewOrder
}).annotate({ identifier: "PlaceOrder" })
export type PlaceOrder = typeof PlaceOrder.Type

/** An example body of PLACE_ORDER, for the public document. */
export const placeOrderExample = {
  action: "PLACE_ORDER",
  order: {
    shippingAddress: {
      addressLine1: "500 Howard Street",
      city: "San Francisco",
      state: "CA",
      country: "US",
      postalCode: "94105"
    },
    patientHealthInfo: { allergies: "None", healthConditions: "None", currentMedications: "None" },
    prescriber: {
      firstName: "Jane",
      lastName: "Rivera",
      npi: "1234567893",
      email: "jane.rivera@example.com",
      phoneNumber: "+14155552672",
      address: { addressLine1: "1 Main Street", city: "Oakland", state: "CA", country: "US", postalCode: "94607" }
    },
    diagnosis: "E66.9",
    pharmacyId: "pharmacy-1",
    dateWritten: "2026-08-03",
    prescriptionItems: [
      { drugId: "semaglutide-0.25", quantity: "4", direction: "Inject once a week", refillCount: 2, supplyDays: 28 }
    ]
  }
}
