import { createServer } from "node:http"
import { Effect } from "effect"

/** Serves a small file on this machine, and returns its URL. */
export const serveFile = Effect.acquireRelease(
  Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
    const server = createServer((_request, response) =>
      response.writeHead(200, { "content-type": "text/plain" }).end("The results.")
    )
    server.listen(0, "127.0.0.1", () => {
      const address = server.address()
      const port = typeof address === "object" && address !== null ? address.port : 0
      resume(Effect.succeed({ url: `http://127.0.0.1:${port}/results.txt`, close: () => server.close() }))
    })
  }),
  ({ close }) => Effect.sync(close)
)
