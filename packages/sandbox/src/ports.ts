import { createServer } from "node:net"
import { Effect } from "effect"

/** True when nothing listens on a port of this machine. */
export const isPortFree = (port: number): Effect.Effect<boolean> =>
  Effect.callback((resume) => {
    const server = createServer()
    server.once("error", () => resume(Effect.succeed(false)))
    server.listen(port, () => server.close(() => resume(Effect.succeed(true))))
  })

/** The first of `ports` that something listens on, or undefined when all are free. */
export const firstTakenPort = (ports: ReadonlyArray<number>): Effect.Effect<number | undefined> =>
  Effect.map(
    Effect.filter(ports, (port) => Effect.map(isPortFree(port), (isFree) => !isFree)),
    ([first]) => first
  )

/** A base port with free ports at all of the given offsets, found at random so that parallel runs do not meet. */
export const findFreeBase = (offsets: ReadonlyArray<number>): Effect.Effect<number> =>
  Effect.gen(function* () {
    while (true) {
      const base = 20_000 + Math.floor(Math.random() * 400) * 100
      if ((yield* firstTakenPort(offsets.map((offset) => base + offset))) === undefined) return base
    }
  })
