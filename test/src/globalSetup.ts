import { flushCompileCache } from "node:module"
import { join } from "node:path"
import { migrations as authMigrations } from "@care/auth/migrations"
import { migrations as casesMigrations } from "@care/cases/migrations"
import type { ServiceName } from "@care/domain/peers"
import { migrations as paymentsMigrations } from "@care/payments/migrations"
import { findFreeBase, provision, runEmbeddedPostgres, services } from "@care/sandbox"
import { migrations as schedulingMigrations } from "@care/scheduling/migrations"
import { migrate } from "@care/service-kit"
import { temporaryFolder } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { recordingStatements } from "./harness/statements.ts"

// Test files open hundreds of connections, for which strong passwords would cost both sides milliseconds each.
const cheap = { scram_iterations: "1", io_method: "sync", max_connections: "400" }

const templateName = "care_template"

const migrations = {
  auth: authMigrations,
  cases: casesMigrations,
  payments: paymentsMigrations,
  scheduling: schedulingMigrations
}

const onDatabase = <A, E>(url: string, use: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, use).pipe(
    Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
  )

// A role for each service as the start command makes it. The clones keep who owns what.
const makeTemplate = Effect.fnUntraced(function* (databaseUrl: string) {
  yield* onDatabase(databaseUrl, (sql) => sql`CREATE DATABASE ${sql(templateName)}`)
  const url = databaseUrl.replace(/\/postgres$/, `/${templateName}`)
  yield* onDatabase(url, (sql) => sql`CREATE EXTENSION pg_stat_statements`)
  const { urls } = yield* provision(url, "test")
  for (const schema of services) {
    yield* migrate({ url: Redacted.make(urls[schema]), schema, migrations: migrations[schema] })
  }
  return urls
})

// A pattern that matches nothing any more would pass without a word.
const refuseEmptyProjects = async ({ vitest }: TestProject) => {
  for (const project of vitest.projects) {
    const { testFiles } = await project.globTestFiles()
    if (testFiles.length === 0) {
      throw new Error(`The project ${project.name} has no tests: mend its patterns in vitest.config.ts.`)
    }
  }
}

/** One PostgreSQL for the run, with one migrated template that every test file clones its own database from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await refuseEmptyProjects(project)
  const scope = Scope.makeUnsafe()
  const prepare = Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const port = yield* findFreeBase([0])
    const { url } = yield* runEmbeddedPostgres({
      directory: join(folder, "postgres"),
      port,
      password: "test",
      isDurable: false,
      settings: { ...recordingStatements, ...cheap }
    })
    return { databaseUrl: url, serviceUrls: yield* makeTemplate(url), runFolder: folder }
  })

  const remove = () => Effect.runPromise(Scope.close(scope, Exit.void))
  try {
    const { databaseUrl, runFolder, serviceUrls } = await Effect.runPromise(Scope.provide(prepare, scope))
    // For those that run the tests, which begin now.
    flushCompileCache()
    project.provide("databaseUrl", databaseUrl)
    project.provide("serviceUrls", serviceUrls)
    project.provide("runFolder", runFolder)
    return remove
  } catch (error) {
    // Nobody calls the teardown of a set-up that failed.
    await remove()
    throw error
  }
}

declare module "vitest" {
  export interface ProvidedContext {
    /** URL of the superuser on the run's PostgreSQL. */
    databaseUrl: string
    /** URLs of the services' roles on the template. */
    serviceUrls: Readonly<Record<ServiceName, string>>
    /** A folder that is removed when the run is over. */
    runFolder: string
  }
}
