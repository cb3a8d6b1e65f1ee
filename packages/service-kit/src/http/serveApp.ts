import { createServer, type RequestListener, type Server } from "node:http"
import { Server as PortServer } from "node:net"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { Context, Effect, Scope } from "effect"
import type { HttpServerResponse } from "effect/http"
import { BootError } from "../config/BootError.ts"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { refuseUnreadable } from "./refusals.ts"

export class Listening extends Context.Service<Listening, { readonly url: string }>()(
  "@care/service-kit/http/Listening"
) {}

const shutdownMillis = 9000

/** The options of every server. Connections outlive those of the callers' pools, so that none is closed just when it is used. */
export const serverOptions = { keepAliveTimeout: 65_000, maxHeaderSize: 16 * 1024 }

export type MakeServer = (handle: RequestListener) => Server

/** Makes the server of a service. It accepts heads twice as large as the gateway's, because the gateway adds headers. */
export const makeServiceServer: MakeServer = (handle) =>
  createServer({ ...serverOptions, maxHeaderSize: 2 * serverOptions.maxHeaderSize }, handle)

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

/**
 * Returns how long callers may go on with their connections when the port is closed. `launch` sets it; where nobody calls, it would be a wait.
 */
export const LingerMillis = Context.Reference<() => number>("@care/service-kit/http/LingerMillis", {
  defaultValue: () => () => 0
})

// A caller may be sending a request on an idle connection at the moment in which that is closed, and cannot know whether it was read. So
// every answer ends its connection from now on, and only connections that nobody used meanwhile are closed. Node keeps one open that
// finishes its request after `close`, so idle connections are closed again and again until none is left.
const close = (server: Server, lingerMillis: number): Effect.Effect<void> =>
  Effect.callback((resume) => {
    server.prependListener("request", (_request, response) => {
      response.shouldKeepAlive = false
    })
    const closeIdle = () => server.closeIdleConnections()
    let closing: NodeJS.Timeout | undefined
    const linger = setTimeout(() => {
      closeIdle()
      closing = setInterval(closeIdle, 50)
    }, lingerMillis)
    const cutOff = setTimeout(() => server.closeAllConnections(), shutdownMillis)
    // Closes the port alone: the method of HTTP's server closes idle connections at once.
    PortServer.prototype.close.call(server, () => {
      clearTimeout(linger)
      clearInterval(closing)
      clearTimeout(cutOff)
      // Ends the timer of HTTP's server.
      server.close()
      resume(Effect.void)
    })
  })

/** Opens the port of an app. On shutdown it finishes the requests in flight, and closes what is left after 9 seconds. */
export const serveApp = Effect.fnUntraced(function* <E, R>(
  app: Effect.Effect<HttpServerResponse.HttpServerResponse, E, R>,
  makeServer: MakeServer
) {
  const { host, port } = yield* ServiceConfig
  const requests = yield* Scope.fork(yield* Effect.scope, "parallel")
  const handle = yield* NodeHttpServer.makeHandler(app, { scope: requests })
  const server = makeServer(handle).on("clientError", refuseUnreadable)
  // No maximum, because Node would silently drop headers beyond it. Their size is bounded.
  server.maxHeadersCount = 0
  const lingerMillis = yield* LingerMillis
  yield* Effect.acquireRelease(open(server, host, port), () => close(server, lingerMillis()))
  const address = server.address()
  const boundPort = typeof address === "object" && address !== null ? address.port : port
  return Listening.of({ url: `http://${host.includes(":") ? `[${host}]` : host}:${boundPort}` })
})
