import { connect, createServer, type Socket } from "node:net"
import { findFreeBase } from "@care/sandbox"
import { Effect } from "effect"

/** How the server behind the proxy seems to fail: it answers nothing, answers late, or refuses connections. */
export type ServerFailure = "hangs" | "delays" | "refuses"

const delayMillis = 5000

/** Runs a TCP proxy before a server. Returns the URL that leads through it, and what makes it fail and recover. */
export const runProxy = Effect.fnUntraced(function* (serverUrl: string) {
  const target = new URL(serverUrl)
  const sockets = new Set<Socket>()
  let failure: ServerFailure | undefined

  const forward = (from: Socket, to: Socket, millis: () => number) => {
    sockets.add(from)
    from.on("error", () => {})
    from.on("close", () => {
      sockets.delete(from)
      to.destroy()
    })
    from.on("data", (chunk) => {
      if (millis() === 0) to.write(chunk)
      else setTimeout(() => to.writable && to.write(chunk), millis()).unref()
    })
    if (failure === "hangs") from.pause()
  }
  const server = createServer((client) => {
    const database = connect(Number(target.port), target.hostname)
    forward(client, database, () => 0)
    forward(database, client, () => (failure === "delays" ? delayMillis : 0))
  })
  const listen = (port: number) =>
    Effect.callback<void>((resume) => {
      server.listen(port, "127.0.0.1", () => resume(Effect.void))
    })
  const close = Effect.sync(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  // One that nobody else gets while the proxy refuses connections.
  const port = yield* findFreeBase([0])
  yield* Effect.acquireRelease(listen(port), () => close)

  const url = new URL(serverUrl)
  url.host = `127.0.0.1:${port}`
  return {
    url: url.href,
    fail: Effect.fnUntraced(function* (next: ServerFailure) {
      failure = next
      if (next === "hangs") for (const socket of sockets) socket.pause()
      if (next === "refuses") yield* close
    }),
    // Late answers of before would come between new ones.
    recover: Effect.suspend(() => {
      const wasClosed = failure === "refuses"
      failure = undefined
      for (const socket of sockets) socket.destroy()
      return wasClosed ? listen(port) : Effect.void
    })
  }
})
