import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { InitialPayment, RecordedPayment } from "./CasePayment.ts"

/** Internal: what cases tells payments. */
export class CasePaymentsApi extends HttpApiGroup.make("casePayments")
  .add(
    // Idempotent by the id of the case.
    HttpApiEndpoint.post("record", "/internal/v1/case-payments", {
      payload: InitialPayment,
      success: RecordedPayment
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
