import { randomUUID } from "node:crypto"
import { layerTestDatabase } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type ClaimLimits, makeJobClaims } from "./JobClaims.ts"
import { offerJobs } from "./testing/offerJobs.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("claims", (it) => {
  const makeClaim = Effect.map(
    makeJobClaims,
    ({ claimsOf }) =>
      (queue: string, { limit = 1, ...limits }: ClaimLimits & { readonly limit?: number } = {}) =>
        Effect.map(claimsOf(queue, limits, Duration.zero)(limit), ({ jobs }) => jobs)
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

  it.effect(
    "claims of a crowded queue that share what one found are in turns, and one that finds too few ends that",
    () =>
      Effect.gen(function* () {
        const { claimsOf } = yield* makeJobClaims
        const claim = claimsOf("crowded", {}, Duration.hours(1))
        const elsewhere = claimsOf("crowded", {}, Duration.zero)
        yield* offerJobs("crowded", randomUUID(), "many", 70)
        yield* offerJobs("crowded", randomUUID(), "few", 3)
        const first = yield* claim(1)
        yield* offerJobs("crowded", randomUUID(), "late", 1)
        const others = yield* Effect.forEach([claim, elsewhere, elsewhere, claim], (run) => run(1))
        assert.deepStrictEqual(namesOf([first, ...others].map(({ jobs }) => jobs)), [
          "many 1",
          "few 1",
          "late 1",
          "many 2",
          "few 2"
        ])
        yield* offerJobs("crowded", randomUUID(), "later", 2)
        const [known, next] = [yield* claim(80), yield* claim(80)]
        assert.lengthOf(known.jobs, 69)
        assert.deepInclude(known, { isFull: true, hasMore: true })
        assert.deepStrictEqual(namesOf([next.jobs]), ["later 1", "later 2"])
        assert.deepInclude(next, { isFull: false, hasMore: false })
      })
  )

  it.effect("of a crowded queue the jobs of all organizations are claimed, and none is while no job is due", () =>
    Effect.gen(function* () {
      const { claimsOf } = yield* makeJobClaims
      const sql = yield* SqlClient.SqlClient
      const claim = claimsOf("all", { perOrganization: 2 }, Duration.hours(1))
      for (let number = 0; number < 70; number += 1) yield* offerJobs("all", randomUUID(), `${number}`, 1)
      yield* offerJobs("all", randomUUID(), "limited", 3)
      const claimed = namesOf((yield* Effect.replicateEffect(claim(10), 8)).map(({ jobs }) => jobs))
      assert.lengthOf(new Set(claimed), 72)
      yield* offerJobs("all", randomUUID(), "delayed", 100)
      yield* sql`UPDATE jobs SET due_at = now() + interval '1 hour' WHERE queue_name = 'all' AND state = 'pending'`
      assert.deepInclude(yield* claim(10), { turn: "beside", hasMore: true, isFull: false, jobs: [] })
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
