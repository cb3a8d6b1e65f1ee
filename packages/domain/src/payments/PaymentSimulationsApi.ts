import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { RequestInvalid } from "../http/RequestErrors.ts"
import { StepRefused } from "../http/StepRefused.ts"
import { CaseId, OrganizationId, Uuid } from "../Ids.ts"
import { PaymentAmountTooHigh, PaymentNotFound } from "./errors.ts"
import { PaymentSnapshot } from "./PaymentSnapshot.ts"
import { PaymentStep, PaymentStepName } from "./PaymentStep.ts"

const path = "/internal/v1/organizations/:organizationId/cases/:caseId/simulated-payment-steps"
const params = { organizationId: OrganizationId, caseId: CaseId }

/** Internal: what a sandbox simulates of the payments of a case. */
export class PaymentSimulationsApi extends HttpApiGroup.make("paymentSimulations")
  .add(
    HttpApiEndpoint.get("possible", path, { params, success: Schema.Array(PaymentStepName) }),
    // Idempotent by `id`. Returns the payment after it.
    HttpApiEndpoint.post("simulate", path, {
      params,
      payload: Schema.Struct({ id: Uuid, step: PaymentStep }),
      success: PaymentSnapshot,
      error: [
        StepRefused.pipe(HttpApiSchema.status(409)),
        PaymentNotFound.pipe(HttpApiSchema.status(404)),
        PaymentAmountTooHigh.pipe(HttpApiSchema.status(422)),
        RequestInvalid.pipe(HttpApiSchema.status(400))
      ]
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of payments that its callers load: this group alone. */
export const paymentSimulationsApi = HttpApi.make("payments").add(PaymentSimulationsApi)
