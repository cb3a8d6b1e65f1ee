import { randomInt } from "node:crypto"
import { createServer, type RequestListener, type Server } from "node:http"
import type { AddressInfo } from "node:net"
import { Effect } from "effect"

/** Serves a listener on 127.0.0.1 until the scope closes. */
export const serveListener = (listener: RequestListener) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer(listener).listen(0, "127.0.0.1", () => resume(Effect.succeed(server)))
    }),
    (server) =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  ).pipe(
    Effect.map((server) => {
      const { port } = server.address() as AddressInfo
      return { port, url: `http://127.0.0.1:${port}` }
    })
  )

const listen = (port: number, host: string | undefined) =>
  Effect.callback<Server | undefined>((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(undefined)))
    server.listen({ port, host }, () => resume(Effect.succeed(server)))
  })

const isFree = (port: number, host: string | undefined) =>
  Effect.flatMap(listen(port, host), (server) =>
    Effect.callback<boolean>((resume) => {
      if (server === undefined) resume(Effect.succeed(false))
      else server.close(() => resume(Effect.succeed(true)))
    })
  )

/**
 * Returns a port of this machine that nothing listens on, now and later: it is below the ephemeral ports of Linux, which other processes
 * are given, and below those of whole suites.
 */
export const freePort: Effect.Effect<number> = Effect.gen(function* () {
  while (true) {
    const port = 10_000 + 2 * randomInt(5000)
    // Its neighbour is held until this process ends, so that two processes never find the same one.
    const neighbour = yield* listen(port + 1, "127.0.0.1")
    neighbour?.unref()
    if (neighbour !== undefined && (yield* isFree(port, "127.0.0.1")) && (yield* isFree(port, undefined))) return port
  }
})
