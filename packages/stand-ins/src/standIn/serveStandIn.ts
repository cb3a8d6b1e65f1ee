import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
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

/** A request before its body. */
export interface Head {
  readonly method: string
  readonly path: string
  readonly query: URLSearchParams
  readonly headers: IncomingMessage["headers"]
  /** The URL of the stand-in, as its caller knows it. */
  readonly url: string
}

/** A request with its body. */
export interface Incoming extends Head {
  readonly body: string
}

/** Replies to a request. */
export type Handler = (incoming: Incoming) => Promise<Reply>

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
  /** Returns the function that replies to a request, or throws before its body is read, if the caller is not known. */
  readonly handlerOf: (head: Head) => Handler
  /** Returns the answer for what was thrown. */
  readonly refuse: (error: unknown) => StandInAnswer
}

const maxBodyBytes = 4_194_304

const tooLarge = { status: 413, body: { message: `A body has at most ${maxBodyBytes} bytes.` } }

const headOf = (request: IncomingMessage): Head => {
  const url = `http://${request.headers.host ?? `127.0.0.1:${request.socket.localPort}`}`
  const { pathname: path, searchParams: query } = new URL(request.url ?? "", url)
  return { method: request.method ?? "", path, query, headers: request.headers, url }
}

// Returns undefined if there is too much. The server discards the rest after the answer.
const bodyOf = async (request: IncomingMessage): Promise<string | undefined> => {
  const chunks: Array<Buffer> = []
  let bytes = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    bytes += chunk.length
    if (bytes > maxBodyBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString()
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
export const serveStandIn = Effect.fnUntraced(function* (listener: Listener) {
  const { handlerOf, host = "127.0.0.1", name, port, refuse } = listener
  const replyTo = async (request: IncomingMessage): Promise<Reply> => {
    const head = headOf(request)
    const handle = handlerOf(head)
    const body = await bodyOf(request)
    return body === undefined ? tooLarge : handle({ ...head, body })
  }
  const server = createServer((request, response) => {
    replyTo(request)
      .catch(refuse)
      .then((reply) => send(response, reply))
      .catch(() => response.destroy())
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
