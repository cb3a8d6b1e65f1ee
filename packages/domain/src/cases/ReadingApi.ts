import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { Access } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { broken, CaseErrorBody, errorBody, InvalidRequestBody, keyRefused } from "../http/ErrorBody.ts"
import { DocumentedErrors, PartnerAccess } from "../http/middleware.ts"
import { KeyInvalid, KeyMissing, RequestInvalid } from "../http/RequestErrors.ts"
import { textUpTo } from "../http/Text.ts"
import { CaseId } from "../Ids.ts"
import { CaseDetail } from "./CaseDetail.ts"
import { CaseForbidden, CaseNotFound, CustomerMissing } from "./errors.ts"

const identifier = Schema.optionalKey(textUpTo(lengths.email))

// Anything but `true` leaves the part out.
const Flag = Schema.optionalKey(textUpTo(lengths.code))

const invalid = (status: number) => (error: string) => ({
  status,
  success: false as const,
  message: "Invalid request",
  error
})

const caseError = (error: string) => ({
  status: 400,
  success: false as const,
  message: "Invalid case data",
  error,
  code: "CASE_ERROR" as const
})

const noCase = "No Case found for provided details!"

/** Query of case detail. `caseId` wins over `email`; a case id that is no UUID finds no case. */
export const CaseDetailQuery = Schema.Struct({
  caseId: identifier,
  email: identifier,
  includeAttachments: Flag,
  documentFormat: Schema.optionalKey(Schema.Literals(["base64", "url"])),
  includeCalendarEvents: Flag,
  includeOrders: Flag
})
export type CaseDetailQuery = typeof CaseDetailQuery.Type

/** Partner API: reading cases. */
export class ReadingApi extends HttpApiGroup.make("reading")
  .add(
    HttpApiEndpoint.get("caseDetail", "/api/v1/customer-case-detail", {
      query: CaseDetailQuery,
      success: Schema.Struct({ status: Schema.Literal(200), success: Schema.Literal(true), caseDetail: CaseDetail }),
      error: [
        ...keyRefused,
        errorBody(CustomerMissing, 400, InvalidRequestBody, () =>
          invalid(400)("caseId or email parameters must be provided!")
        ),
        errorBody(RequestInvalid, 400, InvalidRequestBody, (error) => invalid(400)(error.text), "Bad query"),
        errorBody(CaseForbidden, 403, InvalidRequestBody, () => invalid(403)("Permission denied!")),
        errorBody(CaseNotFound, 404, InvalidRequestBody, () => invalid(404)(noCase)),
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "Read a case")
      .annotate(OpenApi.Description, "A case by its id, or the newest case of the customer with this email."),
    HttpApiEndpoint.get("latestCaseId", "/api/v1/customer-latest-case-id", {
      query: { email: identifier, phoneNumber: identifier },
      success: Schema.Struct({
        status: Schema.Literal(200),
        success: Schema.Literal(true),
        case: Schema.Struct({ id: CaseId })
      }),
      error: [
        errorBody(KeyMissing, 400, CaseErrorBody, () => caseError("Secret key not provided!")),
        errorBody(KeyInvalid, 400, CaseErrorBody, ({ keyHash }) =>
          caseError(`Organization not found for key hash ${keyHash}`)
        ),
        errorBody(CustomerMissing, 400, CaseErrorBody, () => caseError("Email id not provided!")),
        errorBody(RequestInvalid, 400, CaseErrorBody, (error) => caseError(error.text)),
        errorBody(CaseNotFound, 400, CaseErrorBody, () => caseError(noCase)),
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "Find a customer's newest case")
      .annotate(OpenApi.Description, "The id of the newest case of the customer with this email or phone number.")
  )
  .annotate(OpenApi.Title, "Case reading")
  .annotate(Access, "partner")
  .middleware(DocumentedErrors)
  .middleware(PartnerAccess) {}
