import { join } from "node:path"
import { StandbyRead } from "@care/domain/http"
import { findFreeBase, forEveryService, runEmbeddedPostgres } from "@care/sandbox"
import { temporaryFolder } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { assert } from "@effect/vitest"
import { Context, Effect, Exit, Layer, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import { type Contract, contracts } from "../operations/contracts.ts"
import { admin } from "./harness/call.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { fixturesOf, memoizeFixtures, sendOperation } from "./harness/fixturesOf.ts"
import { startProcesses } from "./harness/layerProcesses.ts"
import { metricsOf } from "./harness/metricsOf.ts"
import { runStandby } from "./harness/runStandby.ts"
import { Suite } from "./harness/Suite.ts"
import { markedPatients } from "./harness/sendMarkedRequests.ts"
import { checkStatements, recordingStatements } from "./harness/statements.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

/** A hot standby of the suite's database. */
class Standby extends Context.Service<
  Standby,
  {
    /** A client of its superuser. */
    readonly sql: SqlClient.SqlClient
    readonly url: string
    readonly stop: Effect.Effect<void>
  }
>()("@care/test/Standby") {}

// What is answered has been flushed, as in production.
const settings = { ...recordingStatements, synchronous_commit: "on" }

const layerWithStandby = Layer.effectContext(
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const primary = yield* runEmbeddedPostgres({
      directory: join(folder, "primary"),
      port: yield* findFreeBase([0]),
      password: "standby",
      isDurable: false,
      settings
    })
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE EXTENSION pg_stat_statements`).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(primary.url), maxConnections: 1 }))
    )
    const scope = yield* Effect.acquireRelease(Scope.make(), (scope) => Scope.close(scope, Exit.void))
    const { url } = yield* Scope.provide(runStandby(primary, join(folder, "standby"), settings), scope)
    const suite = yield* startProcesses(primary.url, yield* temporaryFolder(), { readDatabaseUrl: url })
    yield* Effect.addFinalizer(() => checkStatements(forEveryService(primary.url)))
    const clients = yield* Layer.build(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
    const sql = Context.get(clients, SqlClient.SqlClient)
    return Context.add(suite, Standby, { sql, url, stop: Scope.close(scope, Exit.void) })
  })
)

/** Counts the statements that services sent to the standby, apart from those about its position. */
const countOnStandby = Effect.gen(function* () {
  const { sql } = yield* Standby
  const [row] = yield* sql<{ calls: number }>`
    SELECT coalesce(sum(calls), 0)::int AS calls FROM pg_stat_statements JOIN pg_roles r ON r.oid = userid
    WHERE r.rolname LIKE 'care\\_%' AND query NOT LIKE '%pg_control_system%'
  `
  return row?.calls ?? 0
})

const outcomeCounts = Effect.gen(function* () {
  const { urls } = yield* Suite
  const text = yield* metricsOf(urls.auth)
  const of = (outcome: string) =>
    Number(new RegExp(`^standby_reads_total\\{outcome="${outcome}"\\} (\\d+)$`, "m").exec(text)?.[1] ?? 0)
  return { standby: of("standby"), behind: of("behind"), away: of("away") }
})

const organizations = Effect.map(admin("GET", "/organizations?limit=100"), ({ json, status }) => {
  assert.strictEqual(status, 200)
  const listed: ReadonlyArray<{ readonly id: string }> = json.data
  return listed.map(({ id }) => id)
})

const create = (name: string) => Effect.map(admin("POST", "/organizations", { name }), ({ json }): string => json.id)

const isDeclared = ({ endpoint }: Pick<Contract, "endpoint">) =>
  Context.get(endpoint.annotations, StandbyRead) !== undefined

testsOn(layerWithStandby, "a suite with a standby", (it) => {
  it("reads there what the contracts declare, and nothing else", function* () {
    const clinic = yield* makeClinic
    const fixtures = memoizeFixtures(yield* fixturesOf(clinic, markedPatients()))
    const read: Array<string> = []
    for (const contract of contracts.filter(({ method, ...each }) => method === "GET" || isDeclared(each))) {
      const request = yield* Effect.promise(async () => contract.entry.request(fixtures))
      const before = yield* countOnStandby
      const { status } = yield* sendOperation(clinic, contract, request)
      assert.isBelow(status, 500, contract.name)
      if ((yield* countOnStandby) > before) read.push(contract.id)
    }
    const declared = contracts.filter(isDeclared).map(({ id }) => id)
    assert.isAbove(declared.length, 10)
    assert.sameMembers(read, [
      ...declared,
      // The gateway answers them, and asks services whose internal contracts declare it.
      "audit.list",
      "audit.heads",
      "audit.links",
      "audit.checkpoints",
      "audit.strays",
      "jobs.list",
      "troubles.list",
      "patientExport.export"
    ])
    assert.deepInclude(yield* outcomeCounts, { behind: 0, away: 0 })
  })

  it("names an organization in every statement there as well", function* () {
    const { url } = yield* Standby
    yield* checkStatements(forEveryService(url))
  })

  it("shows what was just created: the primary is read while the standby is behind, and the standby again afterwards", function* () {
    const { sql } = yield* Standby
    yield* sql`SELECT pg_wal_replay_pause()`
    const created = yield* create("created while the standby waits")
    assert.include(yield* organizations, created)
    const another = yield* create("created while the primary is read")
    assert.include(yield* organizations, another)
    assert.isAbove((yield* outcomeCounts).behind, 1)
    yield* sql`SELECT pg_wal_replay_resume()`
    const before = (yield* outcomeCounts).standby
    yield* until(Effect.andThen(organizations, outcomeCounts), ({ standby }) => standby > before)
    for (let count = 0; count < 20; count += 1) {
      const id = yield* create(`organization ${count}`)
      assert.include(yield* organizations, id)
    }
  })

  it("goes on when its standby stops", function* () {
    const { stop } = yield* Standby
    const created = yield* create("created before the standby stops")
    yield* stop
    assert.include(yield* organizations, created)
    assert.isAbove((yield* outcomeCounts).away, 0)
    assert.strictEqual(
      (yield* Effect.flatMap(Suite, ({ urls }) => Effect.promise(() => fetch(`${urls.auth}/health/ready`)))).status,
      200
    )
  })
})
