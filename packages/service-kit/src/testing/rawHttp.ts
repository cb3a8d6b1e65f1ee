import { once } from "node:events"
import { connect, type Socket } from "node:net"
import { setTimeout } from "node:timers/promises"
import { Effect } from "effect"

/** Opens a TCP connection to a server, from the given address of this machine (on Linux any of 127.0.0.0/8). */
export const connection = (url: string, localAddress?: string) =>
  Effect.acquireRelease(
    Effect.callback<Socket>((resume) => {
      const { hostname, port } = new URL(url)
      const socket = connect({
        port: Number(port),
        host: hostname,
        ...(localAddress !== undefined && { localAddress })
      })
      // A write to a closed connection fails. Tests check that it is closed.
      socket.on("error", () => {})
      socket.once("connect", () => resume(Effect.succeed(socket)))
    }),
    (socket) => Effect.sync(() => socket.destroy())
  )

/** Returns everything that comes over a connection until it is closed. */
export const untilClosed = (socket: Socket): Effect.Effect<string> =>
  Effect.promise(async () => {
    const chunks: Array<Buffer> = []
    socket.on("data", (chunk) => chunks.push(chunk))
    if (!socket.closed) await once(socket, "close")
    return Buffer.concat(chunks).toString("utf8")
  })

/** Reads a connection to its end with a pause after each piece, and returns the number of bytes. */
export const readSlowly = (socket: Socket, pauseMillis: number): Effect.Effect<number> =>
  Effect.promise(async () => {
    let bytes = 0
    for await (const chunk of socket) {
      bytes += chunk.length
      await setTimeout(pauseMillis)
    }
    return bytes
  })

/** Sends text over a connection of its own and reads until the server closes it. */
export const exchange = (url: string, text: string) =>
  Effect.flatMap(connection(url), (socket) => {
    socket.write(text)
    return untilClosed(socket)
  })

/** Returns the text of a request after which the server closes the connection. */
export const rawRequest = (method: string, target: string, headers: ReadonlyArray<string> = []): string =>
  [`${method} ${target} HTTP/1.1`, "host: test", "connection: close", ...headers, "", ""].join("\r\n")
