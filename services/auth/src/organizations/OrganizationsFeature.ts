import { Effect, Layer } from "effect"
import { OrganizationsHandlers } from "./http.ts"
import { OrganizationChanges } from "./OrganizationChanges.ts"
import { OrganizationNews } from "./OrganizationNews.ts"
import { Organizations } from "./Organizations.ts"

const layerNews = OrganizationNews.worker(
  Effect.map(
    OrganizationChanges,
    ({ tell }) =>
      ({ organizationId }) =>
        tell(organizationId)
  )
)

/** Organizations, and what the other services are told of them. */
export const OrganizationsFeature = Layer.merge(OrganizationsHandlers, layerNews).pipe(
  Layer.provide([OrganizationChanges.layer, Organizations.layer])
)
