import * as HttpApi from "effect/http-api/HttpApi"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { StandbyRead, standbyReads } from "../http/standbyReads.ts"
import { OrganizationId, UserId } from "../Ids.ts"
import type { ServiceName } from "../peers.ts"

const params = { organizationId: OrganizationId, userId: UserId }

/** Internal: a patient's data in one service. */
class OwnPatientsApi extends HttpApiGroup.make("ownPatients")
  .add(
    // `PatientData`, streamed.
    HttpApiEndpoint.get("data", "/internal/v1/organizations/:organizationId/patients/:userId/data", {
      params,
      success: HttpApiSchema.StreamUint8Array({ contentType: "application/json" })
    }).annotate(StandbyRead, standbyReads.data),
    // Idempotent. An erasure is never undone.
    HttpApiEndpoint.post("erase", "/internal/v1/organizations/:organizationId/patients/:userId/erase", {
      params,
      success: HttpApiSchema.NoContent
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}

/** The API of a service's patient data, next to its own API. */
export const ownPatientsApi = <Name extends ServiceName>(service: Name) => HttpApi.make(service).add(OwnPatientsApi)
