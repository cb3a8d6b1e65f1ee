import { programIn } from "@care/build"
import { endpoints } from "@care/domain/endpoints"
import { publicCallers } from "@care/domain/http"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { lastAnswer } from "../bench/growth/makeCaller.ts"
import { operations } from "../bench/growth/operations.ts"
import { serveFile } from "../bench/growth/serveFile.ts"
import { startWorld } from "../bench/growth/startWorld.ts"
import type { World } from "../bench/growth/World.ts"
import { builtPrograms } from "./harness/builtPrograms.ts"
import { keepTransactions, keptTransactions, unrecorded } from "./harness/keepTransactions.ts"
import { unaudited } from "./harness/unaudited.ts"

const known = new Set(
  endpoints
    .filter(({ caller }) => caller !== undefined && Object.hasOwn(publicCallers, caller))
    .map(({ endpoint }) => `${endpoint.method} ${endpoint.path}`)
)

const endpointOf = (operation: string): string => operation.split(": ", 1).join("")

const schemas = ["auth", "cases", "payments", "scheduling"]

const requestsIn = async ({ database }: World): Promise<ReadonlySet<string>> => {
  const { rows } = await database.query<{ id: string }>(
    schemas.map((schema) => `SELECT request_id AS id FROM ${schema}.audit_records`).join(" UNION ")
  )
  return new Set(rows.map(({ id }) => id))
}

// The benchmark's suite is started with variables of this process.
const ownEnvironment = Effect.acquireRelease(
  Effect.sync(() => ({ ...process.env })),
  (env) =>
    Effect.sync(() => {
      process.env = env
    })
)

it("no operation is said to be unaudited that is not there", () => {
  assert.deepStrictEqual(
    Object.keys(unaudited).filter((name) => !known.has(name)),
    []
  )
})

it.live(
  "every operation of the contracts records who read or changed a patient's data, but for those that touch none, and a change in its transaction",
  () =>
    Effect.gen(function* () {
      yield* ownEnvironment
      const { url } = yield* serveFile
      const programs = yield* builtPrograms
      const world = yield* startWorld(1000, url, { programOf: (name) => programIn(programs, name) })
      // By the request, whose id the records of its jobs have, too.
      yield* Effect.promise(() => keepTransactions(world.database))
      const requests = new Map<string, ReadonlyArray<string>>()
      for (const [name, prepare] of Object.entries(operations)) {
        yield* Effect.promise(async () => {
          const run = await prepare(world)
          await run()
          requests.set(endpointOf(name), [...(requests.get(endpointOf(name)) ?? []), lastAnswer.requestId])
        })
      }
      yield* Effect.promise(world.jobsDone)
      const silent = Effect.promise(async () => {
        const recorded = await requestsIn(world)
        return [...known].filter((name) => !requests.get(name)?.some((id) => recorded.has(id))).sort()
      })
      const expected = Object.keys(unaudited).sort()
      // Reads are in the database when they were moved, some second later.
      const told = yield* Effect.repeat(Effect.delay(silent, "50 millis"), {
        times: 200,
        until: (names) => names.length <= expected.length
      })
      assert.deepStrictEqual(told, expected)
      const written = yield* Effect.promise(() => keptTransactions(world.database))
      assert.isAbove(written.recorded.length, 15)
      assert.deepStrictEqual(written.unrecorded, Object.keys(unrecorded), "changes that committed without a record")
    }).pipe(Effect.scoped),
  240_000
)
