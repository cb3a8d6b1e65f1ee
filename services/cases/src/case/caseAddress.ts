import { KnownAddress } from "@care/domain/http"
import { CaseId, OrganizationId } from "@care/domain/ids"
import { erasedText, type OpenedRow, sealed, sealedRow } from "@care/phi"
import { Schema } from "effect"

/** What an address is once its patient was erased. */
export const erasedAddress: KnownAddress = {
  addressLine1: erasedText,
  addressLine2: null,
  city: erasedText,
  state: erasedText,
  country: erasedText,
  postalCode: erasedText
}

/** Where the creation of a case told that things are sent to, as it is stored. */
export const CaseAddressRow = sealedRow("case_addresses", ["organizationId", "caseId"], {
  organizationId: OrganizationId,
  caseId: CaseId,
  shippingAddress: sealed(KnownAddress, erasedAddress),
  reportedAt: Schema.Date
})
export type CaseAddressRow = OpenedRow<typeof CaseAddressRow>
