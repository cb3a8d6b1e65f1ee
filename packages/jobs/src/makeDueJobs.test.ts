import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { rowsOf, Time } from "@care/service-kit"
import { layerTestDatabase, until, whileHeld } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Job from "./Job.ts"
import { JobWakeUp } from "./JobWakeUp.ts"
import { makeDueJobs } from "./makeDueJobs.ts"
import { layerQuickJobs } from "./testing/layerQuickJobs.ts"

const TestLayer = layerQuickJobs.pipe(Layer.provideMerge(layerTestDatabase("cases")), Layer.provide(layerTestCipher))

const dayMillis = 86_400_000

const schema = Schema.Struct({ organizationId: OrganizationId, name: Schema.String })

const storedTimes = rowsOf(Schema.Struct({ key: Schema.String, dueAt: Schema.Finite, failingSince: Schema.Finite }))

layer(TestLayer, { excludeTestServices: true })("jobs that wait for a clock", (it) => {
  class Chain extends Job.make<Chain>()("chain", { version: 1, schema, retries: Job.forThreeDays, concurrency: 1 }) {}

  it.effect("begin when it moves, in order, with their own time, chains and retries included; others' do not", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const sandbox = OrganizationId.make("3b241101-e2bb-4255-8caf-4136c566a962")
      const live = OrganizationId.make("4b241101-e2bb-4255-8caf-4136c566a962")
      yield* sql`INSERT INTO test_organizations VALUES (${sandbox}, 0)`
      const startedAt = Date.now()
      const done: Array<readonly [string, number]> = []
      const worker = Chain.worker(
        Effect.map(Chain, (chain) =>
          Effect.fnUntraced(function* ({ name, organizationId }, _id, { isRetry }) {
            done.push([name, Math.round(((yield* Time.nowMillis) - startedAt) / dayMillis)])
            if (name === "first") yield* chain.offer({ organizationId, name: "follows" }, { delay: "10 days" })
            if (name === "fails" && !isRetry) return yield* Effect.die(new Error("once"))
          })
        )
      ).pipe(Layer.provide(Chain.layer))
      yield* Effect.gen(function* () {
        const { offer } = yield* Chain
        yield* offer({ organizationId: sandbox, name: "fails" }, { delay: "12 days" })
        yield* offer({ organizationId: sandbox, name: "first" }, { delay: "10 days" })
        yield* offer({ organizationId: live, name: "live" }, { delay: "10 days" })
        const { bringForward, look, wake } = yield* makeDueJobs
        const quiet = until(look(sandbox), ({ dueInMillis, isUnderWay }) => !isUnderWay && (dueInMillis ?? 1) > 0)
        const others = sql`SELECT due_at, state FROM jobs WHERE organization_id = ${live}`
        const before = yield* others
        let aheadMillis = 0
        for (let next = yield* quiet; next.dueInMillis !== null; next = yield* quiet) {
          const millis = Math.ceil(next.dueInMillis)
          aheadMillis += millis
          yield* sql`UPDATE test_organizations SET ahead_millis = ${aheadMillis} WHERE organization_id = ${sandbox}`
          yield* bringForward(sandbox, millis)
          yield* wake
        }
        assert.deepStrictEqual(done, [
          ["first", 10],
          ["fails", 12],
          ["fails", 12],
          ["follows", 20]
        ])
        assert.deepStrictEqual(yield* others, before)
        assert.isAbove((yield* look(live)).dueInMillis ?? 0, 9 * dayMillis)
      }).pipe(Effect.provide(Layer.merge(worker, Chain.layer)))
    })
  )

  it.effect(
    "that are due or run are neither changed nor locked by a move, so that the outcomes of others do not wait",
    () =>
      Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const { of } = yield* JobWakeUp
        of("moved")
        const { bringForward } = yield* makeDueJobs
        const sandbox = OrganizationId.make("5b241101-e2bb-4255-8caf-4136c566a962")
        yield* sql`
        INSERT INTO jobs (
          id, queue_name, key, organization_id, version, payload, request_id, state, claim_id, locked_at, due_at, failing_since
        )
        SELECT gen_random_uuid(), 'moved', state || day, ${sandbox}, 1, '', '', state, claim_id,
               CASE WHEN claim_id IS NOT NULL THEN now() END, now() + day * interval '1 day', now()
        FROM (VALUES ('pending', NULL, 0), ('running', gen_random_uuid(), 0), ('pending', NULL, 1), ('pending', NULL, 2))
          AS job (state, claim_id, day)
      `
        const read = storedTimes.all(sql`
        SELECT key, extract(epoch FROM due_at)::float8 AS due_at, extract(epoch FROM failing_since)::float8 AS failing_since
        FROM jobs WHERE organization_id = ${sandbox} ORDER BY key
      `)
        const before = yield* read
        const hourSeconds = 3600
        const lockOthers = sql`
        SELECT key FROM jobs WHERE organization_id = ${sandbox} AND due_at <= now() ORDER BY key FOR UPDATE NOWAIT
      `
        const [, [locked]] = yield* whileHeld(bringForward(sandbox, hourSeconds * 1000), [lockOthers])
        assert.deepStrictEqual(locked, [{ key: "pending0" }, { key: "running0" }])
        const earlier = ({ dueAt, failingSince, key }: (typeof before)[number]) => ({
          key,
          dueAt: dueAt - hourSeconds,
          failingSince: failingSince - hourSeconds
        })
        assert.deepStrictEqual(
          yield* read,
          before.map((row) => (row.key.endsWith("0") ? row : earlier(row)))
        )
      })
  )
})
