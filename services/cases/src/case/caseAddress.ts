import { KnownAddress } from "@care/domain/http"
import { CaseId, OrganizationId } from "@care/domain/ids"
import { erasedText, type OpenedRow, sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"

/** The address of an erased patient. */
export const erasedAddress: KnownAddress = {
  addressLine1: erasedText,
  addressLine2: null,
  city: erasedText,
  state: erasedText,
  country: erasedText,
  postalCode: erasedText
}

/** The shipping address that the creation of a case reported, as it is stored. */
export const CaseAddressRow = sealedRow("case_addresses", ["organizationId", "caseId"], {
  organizationId: OrganizationId,
  caseId: CaseId,
  shippingAddress: sealed(KnownAddress, erasedAddress),
  reportedAt: Schema.Date
})
export type CaseAddressRow = OpenedRow<typeof CaseAddressRow>
