import { createServer, type Server } from "node:net"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { findFreeBase, isPortFree, portRefusal } from "./ports.ts"

const listen = (port: number, host?: string) =>
  Effect.acquireRelease(
    Effect.callback<Server>((resume) => {
      const server = createServer()
      server.listen({ port, ...(host !== undefined && { host }) }, () => resume(Effect.succeed(server)))
    }),
    (server) => Effect.sync(() => server.close())
  )

it.live("a port is taken when something listens on all addresses or on the loopback address alone", () =>
  Effect.gen(function* () {
    const base = yield* findFreeBase([0, 1, 2])
    yield* listen(base + 1)
    yield* listen(base + 2, "127.0.0.1")
    assert.isTrue(yield* isPortFree(base))
    assert.strictEqual(yield* portRefusal(base + 1), "EADDRINUSE")
    assert.strictEqual(yield* portRefusal(base + 2), "EADDRINUSE")
  }).pipe(Effect.scoped)
)

it.live("a free base stays below the ports of outgoing connections, with all offsets of the suite", () =>
  Effect.gen(function* () {
    for (let round = 0; round < 20; round += 1) {
      const base = yield* findFreeBase([0, 20])
      assert.isAtLeast(base, 20_000)
      assert.isBelow(base + 20, 32_768)
    }
  })
)
