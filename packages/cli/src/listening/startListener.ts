import { randomUUID } from "node:crypto"
import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

/** A received request. */
export interface ReceivedDelivery {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** The answer to a request; `retryAfter` is the header. */
export interface ListenerReply {
  readonly status: number
  readonly body: string
  readonly retryAfter?: string | null
}

const root = "/care-listen/"

/** Returns whether a URL is one of a listener on this machine. */
export const isListener = (url: unknown): url is string =>
  typeof url === "string" && /^http:\/\/127\.0\.0\.1:\d+\/care-listen\//.test(url)

/** Returns whether the listener still runs. A running one answers immediately. */
export const listens = (url: string): Effect.Effect<boolean> =>
  Effect.promise(() =>
    fetch(url, { redirect: "manual", signal: AbortSignal.timeout(2000) }).then(
      ({ status }) => status === 204,
      () => false
    )
  )

const headersOf = ({ headers }: IncomingMessage) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (typeof value === "string" ? [[name, value]] : []))
  )

/**
 * Listens on this machine, at a secret path, until the scope closes, and returns the URL. `reply` answers each event; a
 * probe is answered by the listener.
 */
export const startListener = Effect.fnUntraced(function* <R>(
  reply: (received: ReceivedDelivery) => Effect.Effect<ListenerReply, never, R>
) {
  const path = `${root}${randomUUID()}`
  const runPromise = Effect.runPromiseWith(yield* Effect.context<R>())

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.url !== path) return response.writeHead(404).end()
    if (request.method !== "POST") return response.writeHead(204).end()
    const received = { headers: headersOf(request), body: await text(request) }
    const { body, retryAfter, status } = await runPromise(reply(received))
    return response.writeHead(status, retryAfter ? { "retry-after": retryAfter } : {}).end(body)
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => response.destroy())
  })
  yield* Effect.acquireRelease(
    Effect.callback<void, CommandFailed>((resume) => {
      server.once("error", ({ message }) =>
        resume(new CommandFailed({ message: `No listener can be started: ${message}` }))
      )
      server.listen(0, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.close()
        server.closeAllConnections()
      })
  )
  const address = server.address()
  const port = typeof address === "object" && address !== null ? address.port : 0
  return `http://127.0.0.1:${port}${path}`
})
