import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup } from "effect/http-api"
import { DocumentedErrors, ServiceAccess } from "../http/middleware.ts"
import { UserId } from "../Ids.ts"

/** Internal: what the other services ask about a patient's cases. */
export class PatientCasesApi extends HttpApiGroup.make("patientCases")
  .add(
    HttpApiEndpoint.get("profileLock", "/internal/v1/patients/:userId/profile-lock", {
      params: { userId: UserId },
      success: Schema.Struct({ isLocked: Schema.Boolean })
    })
  )
  .middleware(DocumentedErrors)
  .middleware(ServiceAccess) {}
