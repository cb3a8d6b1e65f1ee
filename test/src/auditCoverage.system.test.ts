import { setTimeout } from "node:timers/promises"
import { endpoints } from "@care/domain/endpoints"
import { publicCallers } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { operations } from "../bench/growth/operations.ts"
import { serveFile } from "../bench/growth/serveFile.ts"
import { startWorld } from "../bench/growth/startWorld.ts"
import type { World } from "../bench/growth/World.ts"
import { unaudited } from "./harness/unaudited.ts"

const known = new Set(
  endpoints
    .filter(({ caller }) => caller !== undefined && Object.hasOwn(publicCallers, caller))
    .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
)

const endpointOf = (operation: string): string => operation.split(": ", 1).join("")

const schemas = ["auth", "cases", "payments", "scheduling"]

interface Recorded {
  readonly at: Date
  readonly action: string
  readonly actor: string
}

const recordsOf = async ({ database }: World) => {
  const { rows } = await database.query<Recorded>(
    schemas
      .map((schema) => `SELECT at, action, actor_type AS actor FROM ${schema}.audit_records WHERE request_id <> 'seed'`)
      .join(" UNION ALL ")
  )
  return rows
}

const spooled = async ({ database }: World) => {
  const { rows } = await database.query(schemas.map((s) => `SELECT FROM ${s}.audit_unlinked`).join(" UNION ALL "))
  return rows.length
}

it("no operation is said to be unaudited that is not there", () => {
  assert.deepStrictEqual(
    Object.keys(unaudited).filter((name) => !known.has(name)),
    []
  )
})

it.live(
  "every operation of the contracts records who read or changed a patient's data, but for those that touch none",
  () =>
    Effect.gen(function* () {
      const { env } = process
      const { url } = yield* serveFile
      const world = yield* startWorld(2000, url)
      // By those who did it themselves: a job of an operation before would be taken for the operation.
      const times = new Map<string, ReadonlyArray<readonly [from: Date, to: Date]>>()
      for (const [name, prepare] of Object.entries(operations)) {
        yield* Effect.promise(async () => {
          const run = await prepare(world)
          await setTimeout(2)
          const from = new Date()
          await run()
          times.set(endpointOf(name), [...(times.get(endpointOf(name)) ?? []), [from, new Date()]])
        })
      }
      yield* Effect.promise(async () => {
        await world.jobsDone()
        await setTimeout(2500)
        while ((await spooled(world)) > 0) await setTimeout(50)
      })
      const records = (yield* Effect.promise(() => recordsOf(world))).filter(({ actor }) => actor !== "JOB")
      assert.isAbove(records.length, 50)
      const recorded = [...times].filter(([, spans]) =>
        spans.some(([from, to]) => records.some(({ at }) => at >= from && at <= to))
      )
      assert.deepStrictEqual(
        [...known].filter((name) => !recorded.some(([operation]) => operation === name)).sort(),
        Object.keys(unaudited).sort()
      )
      process.env = env
    }).pipe(Effect.scoped),
  240_000
)
