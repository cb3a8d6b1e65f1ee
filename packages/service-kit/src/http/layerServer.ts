import { createServer, type Server } from "node:http"
import { NodeHttpServer } from "@effect/platform-node"
import { ByteSize, Effect, Layer } from "effect"
import { HttpIncomingMessage, HttpMiddleware } from "effect/http"
import { ServiceConfig } from "../config/ServiceConfig.ts"

// Node keeps a connection alive that finishes its request after `close` was called, until the peer hangs up; so a
// shutdown would wait for every keep-alive pool. This closes what has become idle until nothing is left.
const closingIdleConnections = (server: Server): Server => {
  const close = server.close.bind(server)
  server.close = (callback) => {
    const timer = setInterval(() => server.closeIdleConnections(), 50)
    return close((error) => {
      clearInterval(timer)
      callback?.(error)
    })
  }
  return server
}

// Above the gateway's limit, which is the one that callers meet.
const maxBodySize = ByteSize.mebibytes(24)

/**
 * The HTTP server of a process. On shutdown it stops accepting, finishes the requests in flight and gives up after 10
 * seconds. The library's own span per request is off because it records the query, which may name a patient.
 */
export const layerServer = Layer.unwrap(
  Effect.map(ServiceConfig, ({ port }) =>
    NodeHttpServer.layer(() => closingIdleConnections(createServer({ keepAliveTimeout: 65_000 })), {
      port,
      gracefulShutdownTimeout: "10 seconds"
    })
  )
).pipe(
  Layer.provideMerge(Layer.succeed(HttpMiddleware.TracerDisabledWhen, () => true)),
  Layer.provideMerge(Layer.succeed(HttpIncomingMessage.MaxBodySize, maxBodySize))
)
