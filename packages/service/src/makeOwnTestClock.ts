import type { OrganizationId } from "@care/domain/ids"
import type { OwnTestClock } from "@care/domain/testClocks"
import { makeDueJobs } from "@care/jobs"
import { execute, inTransaction, OtherDueWork, rowsOf, TestClocks } from "@care/service-kit"
import { Effect, Schema, Semaphore } from "effect"
import { SqlClient } from "effect/sql"

const clocks = rowsOf(Schema.Struct({ aheadMillis: Schema.Finite }))

/** Makes the functions that look at the clock of a sandbox organization in this service, and move it. */
export const makeOwnTestClock = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const known = yield* TestClocks
  const works = [yield* makeDueJobs, ...(yield* OtherDueWork)]

  const look = Effect.fnUntraced(function* (organizationId: OrganizationId) {
    const found = yield* Effect.forEach(works, (work) => work.look(organizationId))
    const due = found.flatMap(({ dueInMillis }) => dueInMillis ?? [])
    const dueInMillis = due.length === 0 ? null : Math.min(...due)
    const clock: OwnTestClock = {
      aheadMillis: (yield* known.of(organizationId)).aheadMillis,
      isBusy: found.some(({ isUnderWay }) => isUnderWay) || (dueInMillis !== null && dueInMillis <= 0),
      dueInMillis
    }
    return clock
  })

  // So that the clocks of many sandboxes take one connection.
  const turns = yield* Semaphore.make(1)

  // In one transaction with all that waits for the clock.
  const move = Effect.fnUntraced(function* (organizationId: OrganizationId, ahead: number) {
    yield* known.of(organizationId)
    const before = yield* clocks.one(sql`
      SELECT ahead_millis::float8 AS ahead_millis FROM test_organizations WHERE organization_id = ${organizationId}
      FOR NO KEY UPDATE
    `)
    if (ahead <= before.aheadMillis) return
    yield* execute(sql`UPDATE test_organizations SET ahead_millis = ${ahead} WHERE organization_id = ${organizationId}`)
    for (const { bringForward } of works) yield* bringForward(organizationId, ahead - before.aheadMillis)
  }, inTransaction(sql))

  return {
    look,
    /**
     * Moves the clock, unless it is there already, and has this process look for what is due then. A move that takes longer than the caller
     * waits is ended, so that the caller finds it done.
     */
    set: (organizationId: OrganizationId, ahead: number): Effect.Effect<void> =>
      Effect.andThen(
        turns.withPermit(Effect.uninterruptible(move(organizationId, ahead))),
        Effect.forEach(works, ({ wake }) => wake, { discard: true })
      )
  }
})
