import { randomUUID } from "node:crypto"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type ClaimLimits, makeJobClaims } from "./JobClaims.ts"
import { offerJobs } from "./testing/offerJobs.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("claims", (it) => {
  const makeClaim = Effect.map(
    makeJobClaims,
    ({ claim }) =>
      (queue: string, limits: Partial<ClaimLimits> = {}) =>
        Effect.map(claim(queue, { limit: 1, ...limits }), ({ jobs }) => jobs)
  )

  const namesOf = (claimed: ReadonlyArray<ReadonlyArray<{ readonly requestId: string }>>) =>
    claimed.flat().map(({ requestId }) => requestId)

  it.effect("the organization with the fewest running jobs comes first, and its oldest job", () =>
    Effect.gen(function* () {
      const claim = yield* makeClaim
      yield* offerJobs("turns", randomUUID(), "many", 10)
      yield* offerJobs("turns", randomUUID(), "few", 3)
      yield* offerJobs("turns", randomUUID(), "one", 1)
      const claimed = yield* Effect.replicateEffect(claim("turns"), 8)
      assert.deepStrictEqual(namesOf(claimed), [
        "many 1",
        "few 1",
        "one 1",
        "many 2",
        "few 2",
        "many 3",
        "few 3",
        "many 4"
      ])
    })
  )

  it.effect("parallel claims exceed no exact limit of an organization", () =>
    Effect.gen(function* () {
      const claim = yield* makeClaim
      yield* offerJobs("limits", randomUUID(), "a", 20)
      yield* offerJobs("limits", randomUUID(), "b", 20)
      const limited = claim("limits", { perOrganization: 3, isCountedExactly: true })
      const claimed = yield* Effect.replicateEffect(limited, 30, { concurrency: "unbounded" })
      assert.deepStrictEqual(namesOf(claimed).sort(), ["a 1", "a 2", "a 3", "b 1", "b 2", "b 3"])
    })
  )

  it.effect("several jobs are claimed as if one by one, beside running jobs, and up to the limit", () =>
    Effect.gen(function* () {
      const claim = yield* makeClaim
      for (const queue of ["one by one", "together"]) {
        const [many, few, single] = [randomUUID(), randomUUID(), randomUUID()]
        yield* offerJobs(queue, many, "many", 10)
        yield* claim(queue, { limit: 2 })
        yield* offerJobs(queue, few, "few", 3)
        yield* offerJobs(queue, single, "one", 1)
      }
      const limits = { perOrganization: 4 }
      const oneByOne = yield* Effect.replicateEffect(claim("one by one", limits), 12)
      for (const limit of [3, 3, 6]) {
        const expected = namesOf(oneByOne.splice(0, limit))
        assert.sameMembers(namesOf([yield* claim("together", { ...limits, limit })]), expected)
      }
    })
  )

  it.effect("parallel claims claim each job once", () =>
    Effect.gen(function* () {
      const claim = yield* makeClaim
      const { claimSuspicious } = yield* makeJobClaims
      const sql = yield* SqlClient.SqlClient
      yield* offerJobs("shared", randomUUID(), "a", 20)
      yield* offerJobs("shared", randomUUID(), "b", 20)
      yield* sql`UPDATE jobs SET crashes = 1 WHERE queue_name = 'shared' AND request_id LIKE 'b%'`
      const both = Effect.all([claim("shared"), Effect.map(claimSuspicious("shared"), Option.toArray)], {
        concurrency: "unbounded"
      })
      const first = yield* Effect.replicateEffect(both, 60, { concurrency: "unbounded" })
      // Jobs that may run beside others are claimed after those that may not.
      const second = yield* Effect.replicateEffect(claim("shared"), 60, { concurrency: "unbounded" })
      const claimed = [...first.flat(), ...second]
      const expected = ["a", "b"].flatMap((name) => Array.from({ length: 20 }, (_, index) => `${name} ${index + 1}`))
      assert.deepStrictEqual(namesOf(claimed).sort(), expected.sort())
    })
  )

  it.effect("jobs that are not due are not claimed, and delay no other", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const claim = yield* makeClaim
      yield* offerJobs("later", randomUUID(), "later", 100)
      yield* sql`UPDATE jobs SET due_at = now() + interval '1 hour' WHERE queue_name = 'later'`
      yield* offerJobs("later", randomUUID(), "now", 1)
      const claimed = yield* Effect.replicateEffect(claim("later"), 2)
      assert.deepStrictEqual(namesOf(claimed), ["now 1"])
    })
  )
})
