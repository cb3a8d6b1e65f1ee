import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AddsTo } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { problem } from "../http/Problem.ts"
import { addsTo } from "../http/quotas.ts"
import { CaseId } from "../Ids.ts"
import { caseErrors } from "./BackOfficeApi.ts"
import { Simulated, SimulatedStep, StepImpossible } from "./SimulatedStep.ts"

const path = "/admin/v1/cases/:caseId/simulate"
const params = { caseId: CaseId }

export class AdminSimulationsApi extends HttpApiGroup.make("adminSimulations")
  .add(
    HttpApiEndpoint.get("possible", path, { params, success: Simulated, error: caseErrors })
      .annotate(OpenApi.Summary, "List possible steps of a test case")
      .annotate(OpenApi.Description, "Returns the steps that are possible for a case of a sandbox now."),
    HttpApiEndpoint.post("simulate", path, {
      params,
      payload: SimulatedStep,
      success: Simulated,
      error: [...caseErrors, problem(StepImpossible, 409, "The step is impossible", ({ text }) => text)]
    })
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Simulate a step of a test case")
      .annotate(OpenApi.Description, "Does what others would do with a case of a sandbox, as the partner API does.")
  )
  .annotate(OpenApi.Title, "Admin: test mode")
  .annotate(OpenApi.Description, "What others do with a case of a sandbox, for members who work in test mode.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}
