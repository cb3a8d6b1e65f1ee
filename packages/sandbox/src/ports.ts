import { createServer } from "node:net"
import { Effect, Random } from "effect"

// Both addresses are asked: with one of them taken, some systems still give out the other.
const addresses = ["127.0.0.1", undefined]

const refusalAt = (port: number, host: string | undefined): Effect.Effect<string | undefined> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", (error: NodeJS.ErrnoException) => resume(Effect.succeed(error.code ?? error.message)))
    server.listen({ port, ...(host !== undefined && { host }) }, () =>
      server.close(() => resume(Effect.succeed(undefined)))
    )
  })

/** Why nothing can listen on a port of this machine (`EADDRINUSE`, `EACCES`), or undefined when something can. */
export const portRefusal = Effect.fnUntraced(function* (port: number) {
  for (const host of addresses) {
    const refusal = yield* refusalAt(port, host)
    if (refusal !== undefined) return refusal
  }
  return undefined
})

export const isPortFree = (port: number): Effect.Effect<boolean> =>
  Effect.map(portRefusal(port), (refusal) => refusal === undefined)

// Below the ports that Linux gives to outgoing connections (from 32768), one of which may be any of ours at any time.
const bases = { first: 20_000, count: 400, distance: 30 }

// Whoever holds the last port of a range holds the range: to look and to listen later would let two find the same one.
const hold = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, "127.0.0.1", () => resume(Effect.succeed(true)))
    server.unref()
  })

/**
 * A base port with free ports at all of the given offsets (below 29), found at random and held for as long as this
 * process lives, so that parallel runs do not meet.
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
