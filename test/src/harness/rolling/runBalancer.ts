import { Agent, createServer, type IncomingMessage, type ServerResponse, request as send } from "node:http"
import { buffer } from "node:stream/consumers"
import { serverOptions } from "@care/service-kit"
import { Effect } from "effect"

/** A process behind a balancer, with the connections to it that are kept open. */
interface Backend {
  readonly port: number
  readonly agent: Agent
  /** False from the moment on in which no connection to it is opened any more. */
  isReady: boolean
}

const hasIdleConnection = ({ agent }: Backend) => Object.values(agent.freeSockets).some((sockets) => sockets?.length)

// They are about one connection.
const hopHeaders = ["connection", "keep-alive", "transfer-encoding"]

const endToEnd = (headers: IncomingMessage["headers"]) =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !hopHeaders.includes(name)))

/**
 * Runs a balancer on a port that gives each request to the next process. As in Kubernetes, one that is not ready any more gets no new
 * connections, and further requests on those that it has. Tried again are requests whose connection was refused, because nothing was sent
 * then, and reads whose kept connection was closed.
 */
export const runBalancer = Effect.fnUntraced(function* (port: number) {
  const backends: Array<Backend> = []
  const statuses: Array<number> = []
  const losses: Array<string> = []
  let turn = 0

  const next = () => {
    const usable = backends.filter((backend) => backend.isReady || hasIdleConnection(backend))
    turn += 1
    return usable[turn % usable.length]
  }

  const pass = (request: IncomingMessage, body: Buffer, response: ServerResponse) => {
    const finish = (status: number) => {
      statuses.push(status)
      if (!response.headersSent) response.writeHead(status)
    }
    const backend = next()
    if (backend === undefined) {
      finish(503)
      response.end()
      return
    }
    const { headers, method, url } = request
    const length = body.length > 0 || headers["content-length"] !== undefined ? { "content-length": body.length } : {}
    const forwarded = send(
      {
        host: "127.0.0.1",
        port: backend.port,
        agent: backend.agent,
        method,
        path: url,
        headers: { ...endToEnd(headers), ...length }
      },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, endToEnd(answer.headers))
        statuses.push(answer.statusCode ?? 502)
        answer.pipe(response)
        answer.on("error", (error) => response.destroy(error))
      }
    )
    forwarded.on("error", (error: NodeJS.ErrnoException) => {
      if (response.destroyed) return
      const isRead = method === "GET" && forwarded.reusedSocket && !response.headersSent
      if (error.code === "ECONNREFUSED" || isRead) return pass(request, body, response)
      losses.push(`${method} ${url}: ${error.message}, on a ${forwarded.reusedSocket ? "kept" : "new"} connection`)
      finish(502)
      response.end()
    })
    response.on("close", () => {
      if (!response.writableFinished) forwarded.destroy()
    })
    forwarded.end(body)
  }

  const server = createServer(serverOptions, (request, response) => {
    buffer(request).then(
      (body) => pass(request, body, response),
      () => response.destroy()
    )
  })
  yield* Effect.acquireRelease(
    Effect.callback<void>((resume) => {
      server.listen(port, "127.0.0.1", () => resume(Effect.void))
    }),
    () =>
      Effect.sync(() => {
        server.closeAllConnections()
        server.close()
      })
  )

  return {
    /** The statuses of all answers so far. */
    statuses,
    /** The requests whose connection broke before their answer. */
    losses,
    add: (port: number) => {
      backends.push({ port, agent: new Agent({ keepAlive: true, maxSockets: 64 }), isReady: true })
    },
    /** Opens no further connections to a process. */
    drain: (port: number) => {
      for (const backend of backends) if (backend.port === port) backend.isReady = false
    },
    /** Forgets a process that has ended. Its last answers may still be on the way. */
    remove: (port: number) => {
      backends.splice(
        backends.findIndex((backend) => backend.port === port),
        1
      )
    }
  }
})
