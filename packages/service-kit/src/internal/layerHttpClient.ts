import * as NodeHttpClient from "@effect/platform-node/NodeHttpClient"

/** The HTTP client of internal calls: keep-alive connections to the other services. */
export const layerHttpClient = NodeHttpClient.layerUndiciOptions({ connections: 64, keepAliveTimeout: 30_000 })
