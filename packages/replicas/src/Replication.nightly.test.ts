import { spawn } from "node:child_process"
import { randomUUID } from "node:crypto"
import { once } from "node:events"
import { join } from "node:path"
import { json } from "node:stream/consumers"
import { layerQuickJobs } from "@care/jobs/testing"
import { layerTestCipherWith, makePhiKey } from "@care/phi/testing"
import { IdentityTokens, layerHttpClient, layerPool } from "@care/service-kit"
import { layerTestConfig, makeTestDatabase, serveListener, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer, Redacted } from "effect"
import { layerTables, ThingReplication } from "./testing/Thing.ts"

const PHI_KEY = makePhiKey("k1")

it.live("a change whose process is killed between the commit and the notification is sent by its job", () =>
  Effect.gen(function* () {
    const { url } = yield* makeTestDatabase
    const received: Array<unknown> = []
    let isAway = true
    const reader = yield* serveListener(async (request, response) => {
      if (isAway) return owner.kill("SIGKILL")
      received.push(await json(request))
      return response.writeHead(204).end()
    })
    const layerReader = Layer.mergeAll(IdentityTokens.layer, layerHttpClient).pipe(
      Layer.provideMerge(layerTestConfig()),
      Layer.provideMerge(ConfigProvider.layer(ConfigProvider.fromUnknown({ CASES_URL: reader.url })))
    )
    const database = layerPool({ url: Redacted.make(url), schema: "cases", connections: 5, backgroundConnections: 5 })
    yield* Layer.build(Layer.provide(layerTables, database))

    const thing = { organizationId: randomUUID(), thingId: randomUUID(), name: "changed", version: 1 }
    const owner = spawn(
      process.execPath,
      [join(import.meta.dirname, "testing/ownerProcess.ts"), url, JSON.stringify(thing)],
      { env: { ...process.env, PHI_KEY, CASES_URL: reader.url }, stdio: "inherit" }
    )
    const [, signal] = yield* Effect.promise(() => once(owner, "close"))
    assert.strictEqual(signal, "SIGKILL")

    isAway = false
    const worker = ThingReplication.layerWorker.pipe(
      Layer.provide(layerQuickJobs),
      Layer.provide([layerTestCipherWith(PHI_KEY), database, layerReader])
    )
    yield* Effect.provide(
      until(
        Effect.sync(() => received),
        ({ length }) => length > 0
      ),
      worker
    )
    assert.deepStrictEqual(received, [{ snapshots: [thing] }])
  }).pipe(Effect.scoped)
)
