import { Schema } from "effect"
import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { StepRefused } from "../http/StepRefused.ts"
import { CaseId, OrganizationId, Uuid } from "../Ids.ts"
import { AppointmentStep, AppointmentStepName } from "./AppointmentStep.ts"
import {
  AppointmentNotFound,
  EventTypeShared,
  EventTypeUnknown,
  ProviderRefused,
  SlotMissing,
  SlotTaken
} from "./errors.ts"

const path = "/internal/v1/organizations/:organizationId/cases/:caseId/simulated-appointment-steps"
const params = { organizationId: OrganizationId, caseId: CaseId }

/** Internal: what a sandbox simulates of the appointments of a case. */
export class AppointmentSimulationsApi extends HttpApiGroup.make("appointmentSimulations")
  .add(
    HttpApiEndpoint.get("possible", path, {
      params,
      // `hasBegun`: an appointment may have been missed.
      success: Schema.Struct({ steps: Schema.Array(AppointmentStepName), hasBegun: Schema.Boolean })
    }),
    // Idempotent by `id`.
    HttpApiEndpoint.post("simulate", path, {
      params,
      payload: Schema.Struct({ id: Uuid, step: AppointmentStep }),
      success: HttpApiSchema.NoContent,
      error: [
        StepRefused.pipe(HttpApiSchema.status(409)),
        AppointmentNotFound.pipe(HttpApiSchema.status(404)),
        EventTypeUnknown.pipe(HttpApiSchema.status(422)),
        EventTypeShared.pipe(HttpApiSchema.status(422)),
        SlotMissing.pipe(HttpApiSchema.status(422)),
        SlotTaken.pipe(HttpApiSchema.status(422)),
        ProviderRefused.pipe(HttpApiSchema.status(422))
      ]
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of scheduling that its callers load: this group alone. */
export const appointmentSimulationsApi = HttpApi.make("scheduling").add(AppointmentSimulationsApi)
