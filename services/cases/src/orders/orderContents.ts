import { KnownAddress } from "@care/domain/http"
import { DocumentId, OrderId, OrganizationId } from "@care/domain/ids"
import { erasedText, type OpenedRow, sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"
import { erasedAddress } from "../case/index.ts"

const text = Schema.optional(Schema.String)
const count = Schema.optional(Schema.Finite)

// Declared for what is stored alone: it outlives the contracts of a day.
const Prescription = Schema.Struct({
  patientHealthInfo: Schema.optional(
    Schema.Struct({ allergies: text, healthConditions: text, currentMedications: text })
  ),
  prescriber: Schema.Struct({
    firstName: Schema.String,
    lastName: Schema.String,
    npi: Schema.String,
    email: Schema.String,
    phoneNumber: Schema.String,
    address: Schema.Struct({
      addressLine1: Schema.String,
      addressLine2: text,
      city: Schema.String,
      state: Schema.String,
      country: Schema.String,
      postalCode: Schema.String
    }),
    title: text,
    titleSuffix: text,
    dea: text
  }),
  diagnosis: Schema.String,
  pharmacyId: Schema.String,
  dateWritten: text,
  dateSigned: text,
  datePrescribed: text,
  prescriptionItems: Schema.Array(
    Schema.Struct({
      drugId: Schema.String,
      quantity: Schema.String,
      direction: text,
      refillCount: count,
      supplyDays: count,
      customFields: Schema.optional(Schema.Json)
    })
  )
})

/** A prescription that is fetched for an item of an order, by the number of the item. */
const PrescriptionFile = Schema.Struct({ id: DocumentId, item: Schema.Int, url: Schema.String })
export type PrescriptionFile = typeof PrescriptionFile.Type

const erasedPlace = { addressLine1: erasedText, city: erasedText, state: erasedText, postalCode: erasedText }
const erasedPrescription: typeof Prescription.Type = {
  prescriber: {
    firstName: erasedText,
    lastName: erasedText,
    npi: erasedText,
    email: erasedText,
    phoneNumber: erasedText,
    address: { ...erasedPlace, country: erasedText }
  },
  diagnosis: erasedText,
  pharmacyId: erasedText,
  prescriptionItems: []
}

/** What the pharmacy is told of an order, as it is stored. */
export const OrderContentsRow = sealedRow("order_contents", ["organizationId", "orderId"], {
  organizationId: OrganizationId,
  orderId: OrderId,
  shippingAddress: sealed(KnownAddress, erasedAddress),
  prescription: sealed(Prescription, erasedPrescription),
  documents: sealed(Schema.Array(PrescriptionFile), []),
  /** With which the pharmacy is asked; null until it is. */
  body: sealed(Schema.NullOr(Schema.String))
})
export type OrderContents = OpenedRow<typeof OrderContentsRow>
