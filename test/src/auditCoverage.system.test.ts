import { programIn } from "@care/build"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { measured } from "../bench/growth/OperationTable.ts"
import { serveFile } from "../bench/growth/serveFile.ts"
import { startWorld } from "../bench/growth/startWorld.ts"
import { lastAnswer, type World } from "../bench/growth/World.ts"
import { contracts } from "../operations/contracts.ts"
import { builtPrograms } from "./harness/builtPrograms.ts"
import { keepTransactions, keptTransactions, unrecorded } from "./harness/keepTransactions.ts"

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
      for (const [name, prepare] of Object.entries(measured)) {
        yield* Effect.promise(async () => {
          const run = await prepare(world)
          await run()
          requests.set(endpointOf(name), [...(requests.get(endpointOf(name)) ?? []), lastAnswer.requestId])
        })
      }
      yield* Effect.promise(world.jobsDone)
      const silent = Effect.promise(async () => {
        const recorded = await requestsIn(world)
        return contracts.filter(({ name }) => !requests.get(name)?.some((id) => recorded.has(id))).map(({ id }) => id)
      })
      const expected = contracts.filter(({ line }) => line.unaudited !== undefined).map(({ id }) => id)
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
