import { join } from "node:path"
import { findFreeBase, runEmbeddedPostgres } from "@care/sandbox"
import { temporaryFolder } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Exit, Fiber, Redacted, Schedule, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { call } from "./harness/call.ts"
import { caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { startProcesses } from "./harness/layerProcesses.ts"

const onDatabase = <A, E>(url: string, effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.provide(effect, PgClient.layer({ url: Redacted.make(url), maxConnections: 1, applicationName: "faults" }))

const killConnections = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'care-%'`
)

const countConnections = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ count: number }>`
    SELECT count(*)::int AS count FROM pg_stat_activity WHERE application_name LIKE 'care-%'
  `
).pipe(Effect.map(([row]) => row?.count ?? 0))

// Callers send requests all the time, with pauses that leave the processors to the services.
const pace = Schedule.spaced("10 millis")

it.live(
  "kills of all database connections and a restart of PostgreSQL under load: no wrong answer, and it works again",
  () =>
    Effect.gen(function* () {
      const directory = join(yield* temporaryFolder(), "postgres")
      const port = yield* findFreeBase([0])
      const runDatabase = Effect.gen(function* () {
        const scope = yield* Scope.make()
        const options = { directory, port, password: "faults", isDurable: false }
        const { url } = yield* Scope.provide(runEmbeddedPostgres(options), scope)
        return { scope, url }
      })
      const first = yield* runDatabase
      const suite = yield* startProcesses(first.url, yield* temporaryFolder())

      yield* Effect.gen(function* () {
        const clinic = yield* makeClinic
        const caseId = String((yield* createCase(clinic, caseBody(clinic))).json.data.caseId)
        const read = call("GET", `/api/v1/customer-case-detail?caseId=${caseId}`, { key: clinic.key })
        const created: Array<string> = []
        const wrong: Array<unknown> = []
        let failed = 0

        const isClean = ({ json, status }: { readonly json: unknown; readonly status: number }) =>
          (status === 500 || status === 503) && JSON.stringify(json).includes("requestId")

        const readOnce = Effect.map(read, (answer) => {
          if (answer.status === 200 && answer.json.caseDetail.id === caseId) return
          if (isClean(answer)) failed += 1
          else wrong.push(answer)
        })
        const create = Effect.suspend(() => createCase(clinic, caseBody(clinic)))
        const createOnce = Effect.map(create, (answer) => {
          if (answer.status === 200) created.push(answer.json.data.caseId)
          else if (isClean(answer)) failed += 1
          else wrong.push(answer)
        })
        const load = yield* Effect.forEach(
          [readOnce, createOnce, readOnce, createOnce, readOnce, createOnce],
          (request) => Effect.repeat(request, pace),
          { concurrency: "unbounded" }
        ).pipe(Effect.forkChild)

        const works = (answers: number) =>
          Effect.repeat(Effect.all([read, create]), {
            until: (pair) => pair.every(({ status }) => status === 200)
          }).pipe(Effect.repeat({ times: answers - 1 }))
        for (let round = 0; round < 3; round += 1) {
          yield* works(3)
          yield* onDatabase(first.url, killConnections)
          yield* works(4)
        }
        yield* Scope.close(first.scope, Exit.void)
        const second = yield* runDatabase
        yield* works(7)
        yield* Fiber.interrupt(load)

        assert.deepStrictEqual(wrong, [])
        assert.isAbove(created.length, 20)
        // Only requests in flight at a fault may fail: six callers, four faults, and the requests during the restart, when connections
        // were refused.
        assert.isBelow(failed, created.length)
        const stored = yield* onDatabase(
          second.url,
          Effect.flatMap(SqlClient.SqlClient, (sql) => sql<{ id: string }>`SELECT id FROM cases.cases`)
        )
        assert.includeMembers(
          stored.map(({ id }) => id),
          created
        )
        // At most the pools of the four services: no connection is leaked.
        assert.isAtMost(yield* onDatabase(second.url, countConnections), 80)
        yield* Scope.close(second.scope, Exit.void)
      }).pipe(Effect.provide(suite))
    }).pipe(Effect.scoped),
  120_000
)
