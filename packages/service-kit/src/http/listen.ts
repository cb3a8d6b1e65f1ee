import { createServer, type IncomingMessage, type RequestListener, type Server, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Scope } from "effect"
import type { HttpServerResponse } from "effect/http"
import { BootError } from "../config/BootError.ts"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { makeClientAddresses, type Network } from "./clientAddress.ts"
import { FairShare } from "./FairShare.ts"
import { refuseShare, refuseUnreadable } from "./refusals.ts"

/** The limits of connections to a process that anybody can reach. Times are in milliseconds. */
export interface ServerLimits {
  /** The most open connections. One address may have at most as many as are free. */
  readonly connections: number
  readonly headMillis: number
  readonly requestMillis: number
  /** How long a connection may be idle, for example because the peer does not read the answer. */
  readonly idleMillis: number
  /** The proxies whose `X-Forwarded-For` is believed. */
  readonly trustedProxies: ReadonlyArray<Network>
}

export class Listening extends Context.Service<Listening, { readonly url: string }>()(
  "@care/service-kit/http/Listening"
) {}

const shutdownMillis = 9000

// Node looks every 30 seconds by default.
const checkMillis = 1000

// Longer than the callers' own, so that a connection is not closed just when one of them uses it.
const keepAliveTimeout = 65_000

// The limit of a process that anybody can reach. Services have twice as much, for what the gateway adds.
const maxHeaderSize = 16 * 1024

const makeServer = (handle: RequestListener, limits: ServerLimits | undefined): Server => {
  if (limits === undefined) return createServer({ keepAliveTimeout, maxHeaderSize: 2 * maxHeaderSize }, handle)
  const server = createServer({
    keepAliveTimeout,
    maxHeaderSize,
    headersTimeout: Math.min(limits.headMillis, limits.requestMillis),
    requestTimeout: limits.requestMillis,
    connectionsCheckingInterval: Math.min(checkMillis, limits.headMillis)
  })
  server.timeout = limits.idleMillis
  server.maxConnections = limits.connections
  return shareConnections(server, handle, limits)
}

// A connection of a trusted proxy counts for the address of the request on it.
const shareConnections = (server: Server, handle: RequestListener, { connections, trustedProxies }: ServerLimits) => {
  const addresses = makeClientAddresses(trustedProxies)
  const share = new FairShare({ capacity: connections })
  server.on("connection", (socket: Socket) => {
    const address = addresses.ofConnection(socket.remoteAddress)
    if (address === undefined) return
    if (share.take(address)) socket.once("close", () => share.give(address))
    else socket.destroy()
  })
  if (trustedProxies.length === 0) return server.on("request", handle)
  return server.on("request", (request: IncomingMessage, response: ServerResponse) => {
    if (addresses.ofConnection(request.socket.remoteAddress) === undefined) {
      const address = addresses.of(request)
      if (!share.take(address)) return refuseShare(request, response)
      response.once("close", () => share.give(address))
    }
    handle(request, response)
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

// Node keeps a connection open that finishes its request after `close`, until the peer closes it. So idle connections are closed again
// and again until none is left.
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

/** Opens the port of an app. On shutdown it finishes the requests in flight, and closes what is left after 9 seconds. */
export const listen = Effect.fnUntraced(function* <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  limits: ServerLimits | undefined
) {
  const { host, port } = yield* ServiceConfig
  const requests = yield* Scope.fork(yield* Effect.scope, "parallel")
  const handle = yield* NodeHttpServer.makeHandler(app, { scope: requests })
  const server = makeServer(handle, limits).on("clientError", refuseUnreadable)
  // Otherwise Node would silently drop headers beyond a number. Their size is bounded.
  server.maxHeadersCount = 0
  yield* Effect.acquireRelease(open(server, host, port), close)
  const address = server.address()
  const bound = typeof address === "object" && address !== null ? address.port : port
  return Listening.of({ url: `http://${host.includes(":") ? `[${host}]` : host}:${bound}` })
})
