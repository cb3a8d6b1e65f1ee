import { createServer } from "node:net"
import { Effect, Random } from "effect"

// Both addresses are checked: with one of them taken, some systems still give out the other.
const addresses = ["127.0.0.1", undefined]

const refusalAt = (port: number, host: string | undefined): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? error.message)))
    server.listen({ port, ...(host !== undefined && { host }) }, () =>
      server.close(() => resume(Effect.succeed(undefined)))
    )
  })

/** Returns why no server can listen on a port of this machine (`EADDRINUSE`, `EACCES`), or undefined when one can. */
export const portRefusal = Effect.fnUntraced(function* (port: number) {
  for (const host of addresses) {
    const refusal = yield* refusalAt(port, host)
    if (refusal !== undefined) return refusal
  }
  return undefined
})

export const isPortFree = (port: number): Effect.Effect<boolean> =>
  Effect.map(portRefusal(port), (refusal) => refusal === undefined)

// Below the ephemeral ports of Linux (from 32768), any of which may be in use.
const bases = { first: 20_000, count: 400, distance: 30 }

// Holding the last port of a range holds the range, so that two processes never find the same one.
const hold = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(true)))
    server.unref()
  })

/**
 * Returns a random base port with free ports at all of these offsets (below 29), held until this process ends, so that
 * parallel runs do not meet.
 */
export const findFreeBase = (offsets: ReadonlyArray<number>): Effect.Effect<number> =>
  Effect.gen(function* () {
    while (true) {
      const base = bases.first + (yield* Random.nextIntBetween(0, bases.count - 1)) * bases.distance
      if (!(yield* hold(base + bases.distance - 1))) continue
      const free = yield* Effect.filter(offsets, (offset) => isPortFree(base + offset))
      if (free.length === offsets.length) return base
    }
  })
