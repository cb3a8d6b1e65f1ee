import { randomUUID } from "node:crypto"
import { callers } from "@care/domain/http"
import { ApiKeyId, OrganizationId, UserId } from "@care/domain/ids"
import { layerQuickJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import {
  IdentityTokens,
  identityHeader,
  inTransaction,
  layerAccess,
  layerDocumentedErrors,
  layerHttpClient,
  layerIdentity,
  peer
} from "@care/service-kit"
import { layerTestConfig, layerTestDatabase, serveRoutes, until } from "@care/service-kit/testing"
import * as NodeHttpServer from "@effect/platform-node/NodeHttpServer"
import { assert, layer } from "@effect/vitest"
import { ConfigProvider, Context, Data, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { layerAcceptor } from "./layerAcceptor.ts"
import { makeSnapshots } from "./makeSnapshots.ts"
import { changeThing as change, layerTables, type Thing, ThingReplication, thingReplica } from "./testing/Thing.ts"

// The owner and the reader run in one process and use one database.

const makeOwnSnapshots = makeSnapshots(thingReplica, { table: "thing_snapshots", id: "thingId" })

const succeeds: Effect.Effect<void> = Effect.void
let begin = succeeds
let end = succeeds

const makeAccept = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const { keep } = yield* makeOwnSnapshots
  return Effect.fnUntraced(
    function* (thing: typeof Thing.Type) {
      yield* Effect.suspend(() => begin)
      if (!(yield* keep(thing))) return
      yield* Effect.orDie(sql`INSERT INTO follow_ups ${sql.insert({ thingId: thing.thingId, version: thing.version })}`)
      yield* Effect.suspend(() => end)
    },
    (accepted) => Effect.flatMap(SqlClient.SqlClient, (sql) => inTransaction(sql)(accepted))
  )
})

class Reader extends Context.Service<Reader, { readonly url: string }>()("@care/replicas/test/Reader") {}

const layerReader = Layer.unwrap(
  Effect.gen(function* () {
    const context = yield* Effect.context<SqlClient.SqlClient | IdentityTokens>()
    const accept = Effect.map(
      makeAccept,
      (acceptThing) => (thing: typeof Thing.Type) => Effect.provideContext(acceptThing(thing), context)
    )
    const routes = layerAcceptor(thingReplica, accept).pipe(
      Layer.provide([layerAccess, layerDocumentedErrors, NodeHttpServer.layerHttpServices])
    )
    const url = yield* serveRoutes(
      Layer.merge(routes, layerIdentity).pipe(Layer.provide(Layer.succeedContext(context)))
    )
    return Layer.merge(
      Layer.succeed(Reader, { url }),
      ConfigProvider.layer(ConfigProvider.fromUnknown({ CASES_URL: url }))
    )
  })
)

const TestLayer = ThingReplication.layerNotifying.pipe(
  Layer.provideMerge(layerReader),
  Layer.provideMerge(Layer.mergeAll(layerQuickJobs, layerTables, IdentityTokens.layer, layerHttpClient)),
  Layer.provideMerge(Layer.mergeAll(layerTestDatabase("cases", 20), layerTestCipher, layerTestConfig()))
)

class Refused extends Data.TaggedError("Refused") {}

layer(TestLayer, { excludeTestServices: true })("a replica", (it) => {
  const newThing = () => ({ organizationId: OrganizationId.make(randomUUID()), thingId: UserId.make(randomUUID()) })
  type Ref = ReturnType<typeof newThing>

  const stored = ({ organizationId, thingId }: Ref) =>
    Effect.flatMap(makeOwnSnapshots, ({ find }) => find(organizationId, [thingId])).pipe(
      Effect.map((found) => found.map(({ name, version }) => [name, version]))
    )
  const followUps = ({ thingId }: Ref) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql<{ version: number }>`SELECT version FROM follow_ups WHERE thing_id = ${thingId} ORDER BY number`
    ).pipe(Effect.map((rows) => rows.map(({ version }) => version)))
  const jobsOf = ({ organizationId }: Ref) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) =>
        sql`SELECT state FROM jobs WHERE queue_name = 'thing-replication' AND organization_id = ${organizationId}`
    ).pipe(Effect.map((rows) => rows.map(({ state }) => state)))

  /** Runs the jobs of a thing at once, without the delay that gives the notification time. */
  const runJobs = Effect.fnUntraced(function* (thing: Ref) {
    const sql = yield* SqlClient.SqlClient
    yield* sql`UPDATE jobs SET due_at = now() WHERE organization_id = ${thing.organizationId}`
    yield* until(jobsOf(thing), (states) => states.every((state) => state === "completed"))
  }, Effect.provide(ThingReplication.layerWorker))

  it.effect("has a committed change when its caller goes on, and the job of the change has no further effect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const thing = newThing()
      yield* sql.withTransaction(Effect.all([change(thing, "first"), change(thing, "second")]))
      assert.deepStrictEqual(yield* stored(thing), [["second", 2]])
      yield* Effect.flip(sql.withTransaction(Effect.andThen(change(thing, "third"), new Refused())))
      assert.deepStrictEqual(yield* jobsOf(thing), ["pending", "pending"])
      yield* runJobs(thing)
      assert.deepStrictEqual([yield* stored(thing), yield* followUps(thing)], [[["second", 2]], [2]])
    })
  )

  for (const [name, answer] of [
    ["fails", Effect.die("broken")],
    ["never answers", Effect.never]
  ] as const) {
    it.effect(`gets a change by its job, in its newest version, when the reader ${name}`, () =>
      Effect.gen(function* () {
        const thing = newThing()
        begin = answer
        yield* change(thing, "first")
        yield* change(thing, "second")
        assert.deepStrictEqual(yield* stored(thing), [])
        begin = succeeds
        yield* runJobs(thing)
        assert.deepStrictEqual([yield* stored(thing), yield* followUps(thing)], [[["second", 2]], [2]])
      })
    )
  }

  const send = Effect.fnUntraced(function* (thing: Ref, version: number) {
    const { accept } = yield* peer(thingReplica.api, "snapshots")
    yield* accept({ payload: { snapshots: [{ ...thing, name: `v${version}`, version }] } })
  })

  for (const concurrency of [1, 8]) {
    it.effect(
      `stores the newest version and makes each follow-up at most once, ${concurrency} at a time, in any order`,
      () =>
        Effect.gen(function* () {
          const thing = newThing()
          yield* Effect.forEach([2, 5, 3, 6, 4, 6, 2, 5], (version) => send(thing, version), {
            concurrency,
            discard: true
          })
          assert.deepStrictEqual(yield* stored(thing), [["v6", 6]])
          const followed = yield* followUps(thing)
          assert.deepStrictEqual(
            followed,
            [...new Set(followed)].toSorted((a, b) => a - b)
          )
          assert.strictEqual(followed.at(-1), 6)
        })
    )
  }

  it.effect(
    "stores neither a snapshot nor its follow-up if the follow-up fails, and both when the snapshot comes again",
    () =>
      Effect.gen(function* () {
        const thing = newThing()
        end = Effect.die("broken")
        yield* Effect.exit(send(thing, 1))
        assert.deepStrictEqual([yield* stored(thing), yield* followUps(thing)], [[], []])
        end = succeeds
        yield* send(thing, 1)
        assert.deepStrictEqual([yield* stored(thing), yield* followUps(thing)], [[["v1", 1]], [1]])
      })
  )

  it.effect("belongs to one organization, though another has a thing of the same id", () =>
    Effect.gen(function* () {
      const thing = newThing()
      const other = { ...thing, organizationId: newThing().organizationId }
      yield* send(thing, 1)
      assert.deepStrictEqual(yield* stored(other), [])
      yield* send(other, 2)
      assert.deepStrictEqual([yield* stored(thing), yield* stored(other)], [[["v1", 1]], [["v2", 2]]])
    })
  )

  it.effect("accepts snapshots only from services", () =>
    Effect.gen(function* () {
      const { url } = yield* Reader
      const { mint } = yield* IdentityTokens
      const thing = newThing()
      const partner = callers.partner.Identity.make({ ...thing, apiKeyId: ApiKeyId.make(randomUUID()) })
      const token = yield* mint(partner)
      const body = JSON.stringify({ snapshots: [{ ...thing, name: "first", version: 1 }] })
      const { status } = yield* Effect.promise(() =>
        fetch(`${url}/internal/v1/snapshots/things`, {
          method: "POST",
          headers: { [identityHeader]: token, "content-type": "application/json" },
          body
        })
      )
      assert.strictEqual(status, 401)
      assert.deepStrictEqual(yield* stored(thing), [])
    })
  )
})
