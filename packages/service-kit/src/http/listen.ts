import { createServer, type Server } from "node:http"
import type { Socket } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Scope } from "effect"
import type { HttpServerResponse } from "effect/http"
import { BootError } from "../config/BootError.ts"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { FairShare } from "./FairShare.ts"
import { refuseUnreadable } from "./refuseUnreadable.ts"

/** What callers may hold of a process that anybody can reach. Times in milliseconds. */
export interface ServerLimits {
  /** Connections at a time. One address may have as many as are free for others. */
  readonly connections: number
  /** For the head of a request. */
  readonly headMillis: number
  /** For a whole request. */
  readonly requestMillis: number
  /** For a connection on which nothing moves, an answer that nobody reads above all. */
  readonly idleMillis: number
}

export class Listening extends Context.Service<Listening, { readonly url: string }>()(
  "@care/service-kit/http/Listening"
) {}

const shutdownMillis = 9000

// Node looks every 30 seconds by default.
const checkMillis = 1000

// Longer than the callers' own, so that a connection is not closed just when one of them uses it.
const keepAliveTimeout = 65_000

const makeServer = (limits: ServerLimits | undefined): Server => {
  if (limits === undefined) return createServer({ keepAliveTimeout })
  const server = createServer({
    keepAliveTimeout,
    headersTimeout: Math.min(limits.headMillis, limits.requestMillis),
    requestTimeout: limits.requestMillis,
    connectionsCheckingInterval: Math.min(checkMillis, limits.headMillis)
  })
  server.timeout = limits.idleMillis
  const connections = new FairShare({ capacity: limits.connections })
  return server.on("connection", (socket: Socket) => {
    const address = socket.remoteAddress ?? ""
    if (connections.take(address)) socket.once("close", () => connections.give(address))
    else socket.destroy()
  })
}

const open = (server: Server, host: string, port: number): Effect.Effect<Server, BootError> =>
  Effect.callback((resume) => {
    const refuse = ({ message }: Error) =>
      resume(
        new BootError({
          message: `The port cannot be used (${message}): stop what listens there, or set PORT and HOST to others.`
        })
      )
    server.once("error", refuse).listen({ host, port }, () => {
      server.off("error", refuse)
      resume(Effect.succeed(server))
    })
  })

// Node keeps a connection alive that finishes its request after `close` was called, until the peer hangs up: what becomes
// idle is closed until nothing is left.
const close = (server: Server): Effect.Effect<void> =>
  Effect.callback((resume) => {
    const closing = setInterval(() => server.closeIdleConnections(), 50)
    const cutOff = setTimeout(() => server.closeAllConnections(), shutdownMillis)
    server.close(() => {
      clearInterval(closing)
      clearTimeout(cutOff)
      resume(Effect.void)
    })
  })

/**
 * Opens the port of a process for an app that is ready to answer. On shutdown it stops accepting, finishes the requests in
 * flight, and cuts off what is left after 9 seconds.
 */
export const listen = Effect.fnUntraced(function* <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  limits: ServerLimits | undefined
) {
  const { host, port } = yield* ServiceConfig
  const requests = yield* Scope.fork(yield* Effect.scope, "parallel")
  const handle = yield* NodeHttpServer.makeHandler(app, { scope: requests })
  const server = makeServer(limits).on("request", handle).on("clientError", refuseUnreadable)
  yield* Effect.acquireRelease(open(server, host, port), close)
  const address = server.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  return Listening.of({ url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}` })
})
