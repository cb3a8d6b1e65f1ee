import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { broken, keyRefused } from "../http/commonErrors.ts"
import { caseError, invalidRequest } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok } from "../http/ok.ts"
import { queryEmail, queryPhoneNumber, queryText } from "../http/queryParameters.ts"
import { KeyInvalid, KeyMissing, shownKeyHash } from "../http/RequestErrors.ts"
import { textUpTo } from "../http/Text.ts"
import { CaseId } from "../Ids.ts"
import { CaseDetail } from "./CaseDetail.ts"
import { CaseForbidden, CaseNotFound, CustomerMissing } from "./errors.ts"
import { maxListed } from "./newestOf.ts"

// Only `true` includes the part.
const Flag = Schema.optionalKey(textUpTo(lengths.code))

const noCase = "No Case found for provided details!"

/** The query of the case detail. `caseId` wins over `email`; a case id that is not a UUID finds no case. */
export const CaseDetailQuery = Schema.Struct({
  caseId: queryText,
  email: queryEmail,
  includeAttachments: Flag,
  documentFormat: Schema.optionalKey(Schema.Literals(["base64", "url"])),
  includeCalendarEvents: Flag,
  includeOrders: Flag
})
export type CaseDetailQuery = typeof CaseDetailQuery.Type

/** The answer of the case detail. Contents of files are streamed. */
export const ReadCase = ok({ caseDetail: CaseDetail })

export class ReadingApi extends HttpApiGroup.make("reading")
  .add(
    HttpApiEndpoint.get("caseDetail", "/api/v1/customer-case-detail", {
      query: CaseDetailQuery,
      success: ReadCase,
      error: [
        ...keyRefused,
        invalidRequest(
          CustomerMissing,
          400,
          "caseId or email parameters must be provided!",
          "Neither a case id nor an email is given"
        ),
        mistakesAs(invalidRequest, "A parameter is malformed"),
        invalidRequest(CaseForbidden, 403, "Permission denied!", "The case belongs to another organization"),
        invalidRequest(CaseNotFound, 404, noCase, "There is no such case"),
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "Read a case")
      .annotate(
        OpenApi.Description,
        `Returns a case by its id, or the newest case of the customer with this email. Each list of the case (comments, notes, decisions, attachments, calendarEvents, orders) has the newest ${maxListed} entries, oldest first.`
      ),
    HttpApiEndpoint.get("latestCaseId", "/api/v1/customer-latest-case-id", {
      query: { email: queryEmail, phoneNumber: queryPhoneNumber },
      success: ok({ case: Schema.Struct({ id: CaseId }) }),
      error: [
        caseError(KeyMissing, 400, "Secret key not provided!", "The key is missing or invalid"),
        caseError(
          KeyInvalid,
          400,
          ({ keyHash }) => `Organization not found for key hash ${keyHash}`,
          "The key is missing or invalid",
          new KeyInvalid({ keyHash: shownKeyHash, isDisabled: false })
        ),
        caseError(CustomerMissing, 400, "Email id not provided!", "The email and the phone number are both missing"),
        mistakesAs(caseError, "A parameter is malformed"),
        caseError(CaseNotFound, 400, noCase, "The customer has no case"),
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "Find a customer's newest case")
      .annotate(
        OpenApi.Description,
        "Returns the id of the newest case of the customer with this email or phone number."
      )
  )
  .annotate(OpenApi.Title, "Case reading")
  .annotate(OpenApi.Description, "Follow a case: its status, decisions, comments, files, appointments and orders.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
