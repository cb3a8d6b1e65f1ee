import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import { PatientHasActiveCase } from "./PatientErasure.ts"

/** Internal: erasures that cases decides. */
export class InactivePatientsApi extends HttpApiGroup.make("inactivePatients")
  .add(
    // Decides that a patient is erased, unless they have an active case, or will have one. A decision is final: a job tells auth, should
    // auth not receive the answer.
    HttpApiEndpoint.post("erase", "/internal/v1/organizations/:organizationId/patients/:userId/erase-inactive", {
      params: { organizationId: OrganizationId, userId: UserId },
      success: HttpApiSchema.NoContent,
      error: PatientHasActiveCase.pipe(HttpApiSchema.status(409))
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of cases that its callers load: this group alone. */
export const inactivePatientsApi = HttpApi.make("cases").add(InactivePatientsApi)
