import { randomUUID } from "node:crypto"
import { OrganizationId } from "@care/domain/ids"
import { countLockWaits, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { makePageInTurn } from "./layerAuditApi.ts"
import { layerAuditedDatabase } from "./testing/layerAuditedDatabase.ts"

// Four of the connections are for slow reads.
layer(layerAuditedDatabase("cases", 16), { excludeTestServices: true })("makePageInTurn", (it) => {
  it.effect("of an organization one question has a connection, whichever process asks; others wait for a second", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [first, second] = yield* Effect.all([makePageInTurn, makePageInTurn])
      const [flooding, bystander] = [OrganizationId.make(randomUUID()), OrganizationId.make(randomUUID())]
      const empty = { data: [], nextCursor: null }
      const [turnTaken, end] = [yield* Deferred.make<void>(), yield* Deferred.make<void>()]
      const holder = yield* sql`LOCK TABLE audit_records IN ACCESS EXCLUSIVE MODE`.pipe(
        Effect.andThen(Deferred.succeed(turnTaken, undefined)),
        Effect.andThen(Deferred.await(end)),
        sql.withTransaction,
        Effect.forkChild
      )
      yield* Deferred.await(turnTaken)
      const reading = yield* Effect.forkChild(first(flooding, { limit: 10 }))
      yield* until(countLockWaits(), (count) => count === 1)
      const late = yield* Effect.forEach([first, second, second], (readPage) =>
        Effect.forkChild(Effect.flip(readPage(flooding, { limit: 10 })))
      )
      const other = yield* Effect.forkChild(second(bystander, { limit: 10 }))
      for (const reader of late) assert.deepInclude(yield* Fiber.join(reader), { _tag: "AuditBusy", retryAfter: 1 })
      assert.strictEqual(yield* until(countLockWaits(), (count) => count > 1), 2)
      yield* Deferred.succeed(end, undefined)
      yield* Fiber.join(holder)
      assert.deepStrictEqual(yield* Fiber.joinAll([reading, other]), [empty, empty])
      assert.deepStrictEqual(yield* second(flooding, { limit: 10 }), empty)
    })
  )
})
