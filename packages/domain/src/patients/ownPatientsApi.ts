import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"

const params = { organizationId: OrganizationId, userId: UserId }

/** Internal: what every service answers about all that it keeps of a patient. */
class OwnPatientsApi extends HttpApiGroup.make("ownPatients")
  .add(
    // As `PatientData`, written while it is read.
    HttpApiEndpoint.get("data", "/internal/v1/organizations/:organizationId/patients/:userId/data", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/json" })
    }),
    // Safe to repeat; what is asked for once stays so.
    HttpApiEndpoint.post("erase", "/internal/v1/organizations/:organizationId/patients/:userId/erase", {
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** What a service answers of patients beside its own API. */
export const ownPatientsApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnPatientsApi)
