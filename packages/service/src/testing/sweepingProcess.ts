import { layerPool } from "@care/service-kit"
import * as NodeRuntime from "@effect/platform-node/NodeRuntime"
import { Console, Duration, Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { makeSweep } from "../reconciliation/makeSweep.ts"

// A process that sweeps 30 things of a provider, in pages of ten, and prints the state of the sweep. Its arguments are the URL of the
// database and, if the process is to die, the page after which it dies, before the cursor is stored.
const [url = "", deadlyPage] = process.argv.slice(2)

const sweep = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const page = Effect.fnUntraced(function* (cursor = "0") {
    const from = Number(cursor)
    const numbers = Array.from({ length: 10 }, (_, index) => from + index)
    yield* sql`INSERT INTO seen (number, times) SELECT number, 1 FROM unnest(${numbers}::int[]) AS number
      ON CONFLICT (number) DO UPDATE SET times = seen.times + 1`
    if (String(from / 10) === deadlyPage) process.kill(process.pid, "SIGKILL")
    return { cursor: String(from + 10), isLast: from === 20, compared: 10, differences: [] }
  }, Effect.orDie)
  const run = yield* makeSweep([{ name: "numbers", page }])
  yield* Console.log((yield* run(Duration.minutes(1))).state)
})

const database = layerPool({ url: Redacted.make(url), schema: "payments", connections: 5, backgroundConnections: 5 })

NodeRuntime.runMain(Effect.provide(sweep, database))
