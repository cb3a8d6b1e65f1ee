import { Schema, SchemaTransformation } from "effect"
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
import { PageQuery, pageFields } from "../http/Page.ts"
import { queryEmail, queryPhoneNumber, queryText } from "../http/queryParameters.ts"
import { KeyInvalid, KeyMissing, PathInvalid, pathInvalidAt, shownKeyHash } from "../http/RequestErrors.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { anyCase, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { CaseId, EscalationId, OrderId } from "../Ids.ts"
import { CaseDetail } from "./CaseDetail.ts"
import { CaseStatus } from "./CaseStatus.ts"
import { Escalation, EscalationNotFound } from "./Escalation.ts"
import { CaseForbidden, CaseNotFound, CustomerMissing, OrderNotFound } from "./errors.ts"
import { ListedCase } from "./ListedCase.ts"
import { maxListed } from "./newestOf.ts"
import { Order } from "./Order.ts"

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

/** The filters of a partner's cases. All of them apply. */
export const CasesQuery = {
  ...PageQuery,
  status: Schema.optionalKey(anyCase(CaseStatus)),
  isArchived: Schema.optionalKey(Schema.Literals(["true", "false"])),
  updatedSince: Schema.optionalKey(Timestamp),
  shortId: Schema.optionalKey(textUpTo(lengths.code).pipe(Schema.decode(SchemaTransformation.toUpperCase())))
}
export type CasesQuery = Schema.Struct.Type<typeof CasesQuery>

const ofCase = "/api/v1/cases/:caseId"
const params = { caseId: CaseId }
const malformed = mistakesAs(invalidRequest, "A parameter is malformed")
const noOrder = "No Order found for provided details!"
const noEscalation = "No Escalation found for provided details!"

const ownCaseErrors = [
  ...keyRefused,
  invalidRequest(PathInvalid, 404, noCase),
  malformed,
  invalidRequest(CaseForbidden, 403, "Permission denied!", "The case belongs to another organization"),
  invalidRequest(CaseNotFound, 404, noCase),
  ...broken
] as const

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
        malformed,
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
      ),
    HttpApiEndpoint.get("cases", "/api/v1/cases", {
      query: CasesQuery,
      success: ok(pageFields(ListedCase)),
      error: [...keyRefused, malformed, ...broken]
    })
      .annotate(StandbyRead, standbyReads.list)
      .annotate(OpenApi.Summary, "List cases")
      .annotate(
        OpenApi.Description,
        "Lists the organization's cases by their creation, newest first, so that a change moves none of them to another page. All given filters apply. `shortId` finds the case with exactly this short id, in any letter case. With `updatedSince` (included) a page may have fewer cases than `limit`, or none, before the last page: continue while there is a `nextCursor`."
      ),
    HttpApiEndpoint.get("orders", `${ofCase}/orders`, {
      params,
      query: PageQuery,
      success: ok(pageFields(Order)),
      error: ownCaseErrors
    })
      .annotate(OpenApi.Summary, "List orders of a case")
      .annotate(OpenApi.Description, "Lists the medication orders of a case, newest first."),
    HttpApiEndpoint.get("order", `${ofCase}/orders/:orderId`, {
      params: { ...params, orderId: OrderId },
      success: ok({ data: Order }),
      error: [
        invalidRequest(pathInvalidAt("orderId"), 404, noOrder),
        invalidRequest(OrderNotFound, 404, noOrder, "The case has no such order"),
        ...ownCaseErrors
      ]
    })
      .annotate(OpenApi.Summary, "Read an order")
      .annotate(OpenApi.Description, "Returns a medication order of a case."),
    HttpApiEndpoint.get("escalations", `${ofCase}/escalations`, {
      params,
      query: PageQuery,
      success: ok(pageFields(Escalation)),
      error: ownCaseErrors
    })
      .annotate(OpenApi.Summary, "List escalations of a case")
      .annotate(
        OpenApi.Description,
        "Lists the escalations of a case, newest first, with those that are completed and those that the care team added."
      ),
    HttpApiEndpoint.get("escalation", `${ofCase}/escalations/:escalationId`, {
      params: { ...params, escalationId: EscalationId },
      success: ok({ data: Escalation }),
      error: [
        invalidRequest(pathInvalidAt("escalationId"), 404, noEscalation),
        invalidRequest(EscalationNotFound, 404, noEscalation, "The case has no such escalation"),
        ...ownCaseErrors
      ]
    })
      .annotate(OpenApi.Summary, "Read an escalation")
      .annotate(OpenApi.Description, "Returns an escalation of a case.")
  )
  .annotate(OpenApi.Title, "Case reading")
  .annotate(
    OpenApi.Description,
    "Find cases, and follow each: its status, decisions, comments, files, appointments, orders and escalations."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
