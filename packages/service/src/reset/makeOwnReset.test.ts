import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { layerQuickJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { execute, inTransaction, Time } from "@care/service-kit"
import { countLockWaits, layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Cause, Deferred, Effect, Exit, Fiber, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { makeOwnReset } from "./makeOwnReset.ts"

const TestLayer = layerQuickJobs.pipe(Layer.provideMerge(layerTestDatabase("cases")), Layer.provide(layerTestCipher))

layer(TestLayer, { excludeTestServices: true })("the reset of a sandbox in a service", (it) => {
  const makeOrganization = (isSandbox: boolean) =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const organizationId = OrganizationId.make(randomUUID())
      if (isSandbox) yield* sql`INSERT INTO test_organizations (organization_id) VALUES (${organizationId})`
      const store = Effect.suspend(() =>
        execute(sql`
          INSERT INTO provider_loads (organization_id, provider_id, case_count, last_assigned_at)
          VALUES (${organizationId}, ${randomUUID()}, 1, now())
        `)
      )
      const count = Effect.map(
        sql`SELECT 1 FROM provider_loads WHERE organization_id = ${organizationId}`,
        ({ length }) => length
      )
      const as = (resets: number) =>
        Effect.provideService(Time.TestOrganization, { organizationId, aheadMillis: 0, resets })
      return { organizationId, store, count, as }
    })

  const isRefused = <A, E>(exit: Exit.Exit<A, E>) =>
    Exit.isFailure(exit) && String(Cause.squash(exit.cause)).includes("The sandbox was reset meanwhile")

  it.effect("removes nothing of a live organization, of another sandbox, or of one that is not under this reset", () =>
    Effect.gen(function* () {
      const { clear, close, open } = yield* makeOwnReset({})
      const [live, sandbox, other] = [
        yield* makeOrganization(false),
        yield* makeOrganization(true),
        yield* makeOrganization(true)
      ]
      for (const { store } of [live, sandbox, other]) yield* store
      assert.strictEqual(yield* clear(sandbox.organizationId, 1), 0)
      for (const { organizationId } of [live, sandbox]) yield* close(organizationId, 1)
      assert.strictEqual(yield* clear(live.organizationId, 1), 0)
      assert.strictEqual(yield* clear(sandbox.organizationId, 2), 0)
      assert.strictEqual(yield* clear(sandbox.organizationId, 1), 1)
      yield* open(sandbox.organizationId, 1)
      yield* sandbox.store
      assert.strictEqual(yield* clear(sandbox.organizationId, 1), 0)
      assert.deepStrictEqual([yield* live.count, yield* sandbox.count, yield* other.count], [1, 1, 1])
    })
  )

  it.effect(
    "waits for a transaction that began before, removes what it stored, and refuses later changes of such work",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { clear, close, open } = yield* makeOwnReset({})
        const { as, count, organizationId, store } = yield* makeOrganization(true)
        const [hasStored, mayEnd] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
        const work = store.pipe(
          Effect.andThen(Deferred.succeed(hasStored, undefined)),
          Effect.andThen(Deferred.await(mayEnd)),
          Effect.andThen(store)
        )
        const before = yield* Effect.forkChild(as(0)(inTransaction(sql)(work)))
        yield* Deferred.await(hasStored)
        const closing = yield* Effect.forkChild(close(organizationId, 1))
        yield* until(countLockWaits("FOR UPDATE"), (waits) => waits > 0)
        yield* Deferred.succeed(mayEnd, undefined)
        yield* Fiber.join(before)
        yield* Fiber.join(closing)
        assert.strictEqual(yield* count, 2)
        for (const resets of [0, 1]) {
          assert.isTrue(isRefused(yield* Effect.exit(as(resets)(store))))
          assert.isTrue(isRefused(yield* Effect.exit(as(resets)(inTransaction(sql)(store)))))
          assert.strictEqual(yield* as(resets)(count), 2)
        }
        assert.strictEqual(yield* clear(organizationId, 1), 2)
        yield* open(organizationId, 1)
        assert.isTrue(isRefused(yield* Effect.exit(as(0)(store))))
        assert.isTrue(isRefused(yield* Effect.exit(as(0)(inTransaction(sql)(store)))))
        assert.strictEqual(yield* count, 0)
        yield* as(1)(store)
        yield* as(1)(inTransaction(sql)(store))
        assert.strictEqual(yield* count, 2)
        yield* close(organizationId, 1)
        assert.strictEqual(yield* clear(organizationId, 1), 0)
      })
  )

  it.effect("a change that fails leaves its connection without a transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { as, count, store } = yield* makeOrganization(true)
      for (let time = 0; time < 20; time += 1) {
        assert.isTrue(Exit.isFailure(yield* Effect.exit(as(0)(sql`INSERT INTO provider_loads DEFAULT VALUES`))))
      }
      yield* as(0)(store)
      assert.strictEqual(yield* count, 1)
    })
  )
})
