import { KnownAddress } from "@care/domain/http"
import { DocumentId, OrderId, OrganizationId } from "@care/domain/ids"
import { erasedText, type OpenedRow, sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"
import { erasedAddress } from "../case/index.ts"

const optionalText = Schema.optional(Schema.String)
const optionalNumber = Schema.optional(Schema.Finite)

// A schema for stored rows only, because rows outlive versions of the contract.
const Prescription = Schema.Struct({
  patientHealthInfo: Schema.optional(
    Schema.Struct({ allergies: optionalText, healthConditions: optionalText, currentMedications: optionalText })
  ),
  prescriber: Schema.Struct({
    firstName: Schema.String,
    lastName: Schema.String,
    npi: Schema.String,
    email: Schema.String,
    phoneNumber: Schema.String,
    address: Schema.Struct({
      addressLine1: Schema.String,
      addressLine2: optionalText,
      city: Schema.String,
      state: Schema.String,
      country: Schema.String,
      postalCode: Schema.String
    }),
    title: optionalText,
    titleSuffix: optionalText,
    dea: optionalText
  }),
  diagnosis: Schema.String,
  pharmacyId: Schema.String,
  dateWritten: optionalText,
  dateSigned: optionalText,
  datePrescribed: optionalText,
  prescriptionItems: Schema.Array(
    Schema.Struct({
      drugId: Schema.String,
      quantity: Schema.String,
      direction: optionalText,
      refillCount: optionalNumber,
      supplyDays: optionalNumber,
      customFields: Schema.optional(Schema.Json)
    })
  )
})

/** The file of a prescription, which is downloaded. `item` is the index of its item in the order. */
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

/** What the pharmacy gets of an order, as it is stored. */
export const OrderContentsRow = sealedRow("order_contents", ["organizationId", "orderId"], {
  organizationId: OrganizationId,
  orderId: OrderId,
  shippingAddress: sealed(KnownAddress, erasedAddress),
  prescription: sealed(Prescription, erasedPrescription),
  documents: sealed(Schema.Array(PrescriptionFile), []),
  /** The body for the pharmacy, or null before the first request. */
  body: sealed(Schema.NullOr(Schema.String))
})
export type OrderContents = OpenedRow<typeof OrderContentsRow>
