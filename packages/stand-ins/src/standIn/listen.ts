import { createServer, type RequestListener } from "node:http"
import { Effect } from "effect"
import { StartFailed } from "../StartFailed.ts"

/** Serves HTTP on a port of this machine, 0 for any that is free, until the scope closes: the URL. `name` is for its error. */
export const listen = Effect.fnUntraced(function* (name: string, port: number, handle: RequestListener) {
  const server = createServer(handle)
  return yield* Effect.acquireRelease(
    Effect.callback<string, StartFailed>((resume) => {
      server.once("error", ({ message }) => resume(new StartFailed({ message: `${name} does not start: ${message}.` })))
      server.listen(port, "127.0.0.1", () => {
        const address = server.address()
        const taken = typeof address === "object" && address !== null ? address.port : port
        resume(Effect.succeed(`http://127.0.0.1:${taken}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
})
