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

/** Returns a port of this machine that nothing listens on. */
export const freePort = Effect.scoped(
  Effect.map(
    serveListener(() => {}),
    ({ port }) => port
  )
)
