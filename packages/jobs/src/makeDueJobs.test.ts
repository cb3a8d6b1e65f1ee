import { OrganizationId } from "@care/domain/ids"
import { layerTestCipher } from "@care/phi/testing"
import { Time } from "@care/service-kit"
import { layerTestDatabase, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import * as Job from "./Job.ts"
import { makeDueJobs } from "./makeDueJobs.ts"
import { layerQuickJobs } from "./testing/layerQuickJobs.ts"

const TestLayer = layerQuickJobs.pipe(Layer.provideMerge(layerTestDatabase("cases")), Layer.provide(layerTestCipher))

const dayMillis = 86_400_000

const schema = Schema.Struct({ organizationId: OrganizationId, name: Schema.String })

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
})
