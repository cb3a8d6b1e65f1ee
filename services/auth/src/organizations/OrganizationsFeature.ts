import { Effect, Layer } from "effect"
import { OrganizationsHandlers } from "./http.ts"
import { OrganizationReplicas } from "./OrganizationReplicas.ts"
import { OrganizationReplication } from "./OrganizationReplication.ts"
import { Organizations } from "./Organizations.ts"

const layerNews = OrganizationReplication.worker(
  Effect.map(
    OrganizationReplicas,
    ({ tell }) =>
      ({ organizationId }) =>
        tell(organizationId)
  )
)

/** Organizations, and what the other services are told of them. */
export const OrganizationsFeature = Layer.merge(OrganizationsHandlers, layerNews).pipe(
  Layer.provide([OrganizationReplicas.layer, Organizations.layer])
)
