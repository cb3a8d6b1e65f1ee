import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import { text } from "node:stream/consumers"
import { Effect } from "effect"
import { StartFailed } from "../StartFailed.ts"

/** The answer to a request. A text is sent as it is, any other body as JSON. */
export interface StandInAnswer {
  readonly status: number
  readonly body: unknown
  readonly headers?: Readonly<Record<string, string>>
}

/** What a caller gets: an answer, none, or the end of the connection. */
export type Reply = StandInAnswer | "silence" | "hangUp"

/** A request with its body. */
export interface Incoming {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  readonly body: string
  /** The URL of the stand-in, as its caller knows it. */
  readonly url: string
}

/** Where a stand-in listens. */
export interface Address {
  /** By default this machine alone can reach it. */
  readonly host?: string | undefined
  /** 0 for any free port. */
  readonly port: number
}

interface Listener extends Address {
  /** The stand-in's name in the sentence about a port that is taken. */
  readonly name: string
  readonly handle: (incoming: Incoming) => Promise<Reply>
  /** Returns the answer for what `handle` throws. */
  readonly refuse: (error: unknown) => StandInAnswer
}

const read = async (request: IncomingMessage): Promise<Incoming> => {
  const url = `http://${request.headers.host ?? `127.0.0.1:${request.socket.localPort}`}`
  const { pathname: path, searchParams: query } = new URL(request.url ?? "", url)
  return { method: request.method ?? "", path, query, headers: request.headers, body: await text(request), url }
}

const send = (response: ServerResponse, reply: Reply): void => {
  if (reply === "hangUp") response.socket?.destroy()
  else if (reply !== "silence") {
    const { body, headers, status } = reply
    response.writeHead(status, { "content-type": "application/json", ...headers })
    response.end(typeof body === "string" ? body : JSON.stringify(body))
  }
}

/** Serves HTTP until the scope closes, and returns the URL on this machine. */
export const serveStandIn = Effect.fnUntraced(function* ({ handle, host = "127.0.0.1", name, port, refuse }: Listener) {
  const server = createServer((request, response) => {
    const reply = read(request).then(handle).catch(refuse)
    void reply.then((resolved) => send(response, resolved))
  })
  return yield* Effect.acquireRelease(
    Effect.callback<string, StartFailed>((resume) => {
      server.once("error", ({ message }) => resume(new StartFailed({ message: `${name} does not start: ${message}.` })))
      server.listen(port, host, () => {
        const address = server.address()
        const boundPort = typeof address === "object" && address !== null ? address.port : port
        resume(Effect.succeed(`http://127.0.0.1:${boundPort}`))
      })
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )
})
