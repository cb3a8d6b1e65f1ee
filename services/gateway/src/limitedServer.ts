import { createServer, type IncomingMessage, type ServerResponse } from "node:http"
import type { Socket } from "node:net"
import { FairShare, type MakeServer, refusalHeaders, serverOptions } from "@care/service-kit"
import type { CallerLimits } from "./CallerLimits.ts"
import { makeClientAddresses } from "./clientAddress.ts"

// Longer than any head needs, because a head is small.
const maxHeadMillis = 10_000

// The gateway's own time limit ends before the server's, so that the answer can be written.
const answerMillis = 3000

// How often Node checks the time limits. Its default is 30 seconds.
const checkMillis = 1000

const retryAfter = 1

const shareExceeded = JSON.stringify({
  status: 429,
  success: false,
  error: "Rate limit exceeded",
  message: "Too many requests of one address are answered at a time. Try again when one of them is answered.",
  retryAfter
})

// Answers a request above the share of its address. Without an answer a proxy might believe that the process is down.
const refuseShare = (request: IncomingMessage, response: ServerResponse): void => {
  request.resume()
  response
    .writeHead(429, { ...refusalHeaders(shareExceeded, "TOO_MANY_AT_ONCE"), "retry-after": String(retryAfter) })
    .end(shareExceeded)
}

/**
 * Makes a server that anybody can reach. It limits its connections, of which one address may have as many as are free, and the times of
 * requests. A connection of a trusted proxy counts for the address of the request on it.
 */
export const limitedServer =
  ({
    connections,
    idleMillis,
    requestMillis,
    trustedProxies
  }: Pick<CallerLimits, "connections" | "idleMillis" | "requestMillis" | "trustedProxies">): MakeServer =>
  (handle) => {
    const headMillis = Math.min(maxHeadMillis, requestMillis)
    const server = createServer({
      ...serverOptions,
      headersTimeout: headMillis,
      requestTimeout: requestMillis + Math.min(answerMillis, requestMillis),
      connectionsCheckingInterval: Math.min(checkMillis, headMillis)
    })
    server.timeout = idleMillis
    server.maxConnections = connections
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
        const address = addresses.ofRequest(request)
        if (!share.take(address)) return refuseShare(request, response)
        response.once("close", () => share.give(address))
      }
      handle(request, response)
    })
  }
