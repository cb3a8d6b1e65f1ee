import { Layer } from "effect"
import { EndpointNotices } from "./EndpointNotices.ts"
import { EndpointSecrets } from "./EndpointSecrets.ts"
import { WebhookEndpointsHandlers } from "./http.ts"
import { PartnerEndpoints } from "./PartnerEndpoints.ts"

/** The endpoints of partners, and the emails about those that were disabled. */
export const EndpointsFeature = Layer.merge(
  WebhookEndpointsHandlers.pipe(Layer.provide([EndpointSecrets.layer, PartnerEndpoints.layer])),
  EndpointNotices.layerWorker
)
