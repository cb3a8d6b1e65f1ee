import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { CaseForbidden, CaseNotFound } from "../cases/errors.ts"
import { callers } from "../http/callers.ts"
import { broken, keyRefused } from "../http/commonErrors.ts"
import { message, unauthorized } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok } from "../http/ok.ts"
import { PageQuery, pageFields } from "../http/Page.ts"
import { PathInvalid, pathInvalidAt } from "../http/RequestErrors.ts"
import { showing } from "../http/shownAnswers.ts"
import { CaseId, PaymentId } from "../Ids.ts"
import { PaymentNotFound } from "./errors.ts"
import { PaymentOfCase, paymentOfCaseExample } from "./PaymentOfCase.ts"

const ofCase = "/api/v1/cases/:caseId/payments"
const params = { caseId: CaseId }
const noCase = "No Case found for provided details!"
const noPayment = "No Payment found for provided details!"

const errors = [
  ...keyRefused,
  message(PathInvalid, 400, noCase),
  mistakesAs(message, "A parameter is malformed"),
  message(CaseNotFound, 400, noCase),
  unauthorized(CaseForbidden, 401, "Permission denied", "The case belongs to another organization"),
  ...broken
] as const

export class PaymentReadingApi extends HttpApiGroup.make("paymentReading")
  .add(
    HttpApiEndpoint.get("list", ofCase, {
      params,
      query: PageQuery,
      success: showing(ok(pageFields(PaymentOfCase)), { data: [paymentOfCaseExample], nextCursor: null }),
      error: errors
    })
      .annotate(OpenApi.Summary, "List payments of a case")
      .annotate(
        OpenApi.Description,
        "Lists the payments of a case, newest first. The one that the case began with has `isInitial`."
      ),
    HttpApiEndpoint.get("get", `${ofCase}/:paymentId`, {
      params: { ...params, paymentId: PaymentId },
      success: showing(ok({ data: PaymentOfCase }), { data: paymentOfCaseExample }),
      error: [
        message(pathInvalidAt("paymentId"), 404, noPayment),
        message(PaymentNotFound, 404, noPayment, "The case has no such payment"),
        ...errors
      ]
    })
      .annotate(OpenApi.Summary, "Read a payment")
      .annotate(OpenApi.Description, "Returns a payment of a case, with its status.")
  )
  .annotate(OpenApi.Title, "Payment reading")
  .annotate(OpenApi.Description, "The payments of a case: its initial payment, and further ones.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
