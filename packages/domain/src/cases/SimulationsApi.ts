import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keyRefused } from "../http/commonErrors.ts"
import { errorBody } from "../http/ErrorBody.ts"
import { codedInvalidRequest, invalidRequest, statusAndFailure } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { PathInvalid } from "../http/RequestErrors.ts"
import { requestExamples } from "../http/requestExample.ts"
import { CaseId } from "../Ids.ts"
import { CaseForbidden, CaseNotFound } from "./errors.ts"
import { Simulated, SimulatedStep, StepImpossible, StepName } from "./SimulatedStep.ts"

const path = "/api/v1/test/cases/:caseId/simulate"
const params = { caseId: CaseId }
const noCase = "No Case found for provided details!"

const ImpossibleBody = Schema.Struct({
  ...statusAndFailure,
  message: Schema.String,
  error: Schema.String,
  possible: Schema.Array(StepName)
}).annotate({ identifier: "StepImpossibleBody" })

const impossibleBody = (error: StepImpossible): typeof ImpossibleBody.Type => ({
  status: 409,
  success: false,
  message: "Invalid request",
  error: error.text,
  possible: error.possible
})

const impossible = errorBody(
  StepImpossible,
  409,
  ImpossibleBody,
  impossibleBody,
  "The step is impossible for the case as it is; `possible` has those that are not",
  [
    impossibleBody(
      new StepImpossible({ step: "START", status: "OPEN", isArchived: false, possible: ["ASSIGN", "COMMENT"] })
    )
  ]
)

const ownCaseErrors = [
  ...keyRefused,
  invalidRequest(PathInvalid, 404, noCase),
  mistakesAs(invalidRequest),
  invalidRequest(CaseForbidden, 403, "Permission denied!", "The case belongs to another organization"),
  invalidRequest(CaseNotFound, 404, noCase),
  ...broken
] as const

/** Partner API: what others do with a case, simulated in a sandbox. */
export class SimulationsApi extends HttpApiGroup.make("simulations")
  .add(
    HttpApiEndpoint.get("possible", path, { params, success: ok({ data: Simulated }), error: ownCaseErrors })
      .annotate(OpenApi.Summary, "List possible steps")
      .annotate(OpenApi.Description, "Returns the steps that are possible for a case now."),
    HttpApiEndpoint.post("simulate", path, {
      params,
      headers: idempotencyHeader,
      payload: SimulatedStep,
      success: ok({ data: Simulated }),
      error: [...ownCaseErrors, impossible, idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR"))]
    })
      .annotate(AddsTo, addsTo.events)
      .annotate(
        OpenApi.Transform,
        requestExamples({
          approve: { step: "APPROVE", medInfo: [{ medicine: "Semaglutide 0.25 mg", refillCount: 2 }] },
          ship: { step: "ORDER_SHIPPED", trackingId: "1Z999AA10123456784", carrierName: "UPS" }
        })
      )
      .annotate(OpenApi.Summary, "Simulate a step")
      .annotate(
        OpenApi.Description,
        "Does what the care team, the pharmacy, the payment gateway or the scheduling provider would do with a case, by the same rules and with the same events. Returns the case, and the steps that are possible then."
      )
  )
  .annotate(OpenApi.Title, "Test mode: cases")
  .annotate(OpenApi.Description, "What others do with a case of your sandbox. These operations need a test key.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
