import { flushCompileCache } from "node:module"
import { join } from "node:path"
import { migrations as authMigrations } from "@care/auth/migrations"
import { migrations as casesMigrations } from "@care/cases/migrations"
import type { ServiceName } from "@care/domain/peers"
import { migrations as paymentsMigrations } from "@care/payments/migrations"
import { findFreeBase, forEveryService, provision, runEmbeddedPostgres, services } from "@care/sandbox"
import { migrations as schedulingMigrations } from "@care/scheduling/migrations"
import { migrate } from "@care/service-kit"
import { temporaryFolder } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Record, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"
import { distribute, joinWorkers, workersOf } from "./harness/citus.ts"
import { type RunningPooler, runPgBouncer } from "./harness/runPgBouncer.ts"
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

const templateAt = (url: string) => url.replace(/\/postgres$/, `/${templateName}`)

const makeTemplate = Effect.fnUntraced(function* (superuserUrl: string, extensions: ReadonlyArray<string>) {
  yield* onDatabase(superuserUrl, (sql) => sql`CREATE DATABASE ${sql(templateName)}`)
  yield* onDatabase(templateAt(superuserUrl), (sql) =>
    Effect.forEach(extensions, (extension) => sql`CREATE EXTENSION ${sql(extension)}`)
  )
})

// A role for each service as the start command makes it. The clones keep who owns what.
const migrateTemplates = Effect.fnUntraced(function* (superuserUrls: Readonly<Record<ServiceName, string>>) {
  const { urls } = yield* provision(Record.map(superuserUrls, templateAt), "test")
  for (const schema of services) {
    yield* migrate({ url: Redacted.make(urls[schema]), schema, migrations: migrations[schema] })
  }
  return urls
})

const makeTemplates = Effect.fnUntraced(function* (superuserUrls: Readonly<Record<ServiceName, string>>) {
  for (const url of new Set(Object.values(superuserUrls))) yield* makeTemplate(url, ["pg_stat_statements"])
  return yield* migrateTemplates(superuserUrls)
})

const runServer = Effect.fnUntraced(function* (directory: string) {
  const { url } = yield* runEmbeddedPostgres({
    directory,
    port: yield* findFreeBase([0]),
    password: "test",
    isDurable: false,
    settings: { ...recordingStatements, ...cheap }
  })
  return url
})

// A PostgreSQL for each service, with a template that has the schema and the role of this service alone.
const runFourServers = Effect.fnUntraced(function* (folder: string) {
  const superuserUrls = yield* Effect.all(
    Record.map(forEveryService(folder), (_, service) => runServer(join(folder, service)))
  )
  const urls = yield* makeTemplates(superuserUrls)
  return Record.map(superuserUrls, (superuserUrl, service) => ({ superuserUrl, serviceUrl: urls[service] }))
})

const removeDatabases = (superuserUrl: string) =>
  onDatabase(
    superuserUrl,
    Effect.fnUntraced(function* (sql) {
      const rows = yield* sql<{ name: string }>`
        SELECT datname AS name FROM pg_database WHERE datname = ${templateName} OR datname ~ '^test_[0-9a-f]{32}$'
      `
      for (const { name } of rows) yield* sql`DROP DATABASE ${sql(name)} WITH (FORCE)`
    })
  )

// Uses a server that runs already: a plain PostgreSQL, or the coordinator of a Citus cluster, whose workers get the same databases.
const useServer = Effect.fnUntraced(function* (coordinatorUrl: string) {
  const workers = yield* onDatabase(coordinatorUrl, workersOf)
  const workerUrls = workers.map(({ name, port }) =>
    Object.assign(new URL(coordinatorUrl), { host: `${name}:${port}` }).toString()
  )
  const urls = [coordinatorUrl, ...workerUrls]
  const isCluster = workers.length > 0
  const removeAll = Effect.forEach(urls, removeDatabases)
  yield* removeAll
  yield* Effect.addFinalizer(() => Effect.orDie(removeAll))
  yield* onDatabase(coordinatorUrl, (sql) => sql`SELECT pg_stat_statements_reset()`)
  for (const url of urls) yield* makeTemplate(url, [...(isCluster ? ["citus"] : []), "pg_stat_statements"])
  const coordinator = new URL(coordinatorUrl)
  if (isCluster) yield* onDatabase(templateAt(coordinatorUrl), (sql) => joinWorkers(sql, coordinator, workers))
  const serviceUrls = yield* migrateTemplates(forEveryService(coordinatorUrl))
  if (isCluster) yield* onDatabase(templateAt(coordinatorUrl), distribute)
  // A database is copied only while nobody is connected to it, and Citus stays connected to each that was ever used.
  for (const url of urls) {
    yield* onDatabase(url, (sql) =>
      Effect.andThen(
        sql`ALTER DATABASE ${sql(templateName)} ALLOW_CONNECTIONS false`,
        sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = ${templateName}`
      )
    )
  }
  return { workerUrls, serviceUrls }
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

/**
 * One PostgreSQL for the run, with one migrated template that every test file clones its own database from. With `CARE_FOUR_DATABASES=true`
 * (`pnpm test:four`) suites have four more, one for each service. With `CARE_POOLER=true` (`pnpm test:pooler`) services use the first through
 * PgBouncer. With `CARE_TEST_DATABASE_URL` (the superuser's, on the database
 * `postgres`) it is a server that runs already, with pg_stat_statements: a PostgreSQL of another version, or a Citus cluster's coordinator.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  await refuseEmptyProjects(project)
  const scope = Scope.makeUnsafe()
  const prepare = Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const externalUrl = process.env["CARE_TEST_DATABASE_URL"]
    const databaseUrl = externalUrl ?? (yield* runServer(join(folder, "postgres")))
    const { serviceUrls, workerUrls } =
      externalUrl === undefined
        ? { serviceUrls: yield* makeTemplates(forEveryService(databaseUrl)), workerUrls: [] }
        : yield* useServer(externalUrl)
    const servers = process.env["CARE_FOUR_DATABASES"] === "true" ? yield* runFourServers(folder) : undefined
    const pooler =
      process.env["CARE_POOLER"] === "true" ? yield* runPgBouncer(folder, databaseUrl, serviceUrls) : undefined
    return { databaseUrl, workerUrls, serviceUrls, servers, pooler, runFolder: folder }
  })

  const remove = () => Effect.runPromise(Scope.close(scope, Exit.void))
  try {
    const { databaseUrl, pooler, runFolder, servers, serviceUrls, workerUrls } = await Effect.runPromise(
      Scope.provide(prepare, scope)
    )
    // For those that run the tests, which begin now.
    flushCompileCache()
    project.provide("databaseUrl", databaseUrl)
    project.provide("workerUrls", workerUrls)
    project.provide("serviceUrls", serviceUrls)
    project.provide("servers", servers)
    project.provide("pooler", pooler)
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
    /** The same on each worker, if that PostgreSQL is the coordinator of a Citus cluster. */
    workerUrls: ReadonlyArray<string>
    /** URLs of the services' roles on the template. */
    serviceUrls: Readonly<Record<ServiceName, string>>
    /** The PostgreSQL of each service of a suite, if it has one of its own: URLs of the superuser, and of the service's role on the template. */
    servers: Readonly<Record<ServiceName, { readonly superuserUrl: string; readonly serviceUrl: string }>> | undefined
    /** The pooler between the services of a suite and PostgreSQL, if there is one. */
    pooler: RunningPooler | undefined
    /** A folder that is removed when the run is over. */
    runFolder: string
  }
}
