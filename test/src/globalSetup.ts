import { chmodSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { migrations as authMigrations } from "@care/auth/migrations"
import { migrations as casesMigrations } from "@care/cases/migrations"
import { migrations as paymentsMigrations } from "@care/payments/migrations"
import { findFreeBase, runEmbeddedPostgres } from "@care/sandbox"
import { migrate } from "@care/service-kit"
import { PgClient } from "@effect/sql-pg"
import { Effect, Exit, Redacted, Scope } from "effect"
import { SqlClient } from "effect/sql"
import type { TestProject } from "vitest/node"

const templateName = "care_template"

/** One PostgreSQL for the run, with one migrated template that every test file clones its own database from. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const scope = Scope.makeUnsafe()
  const folder = mkdtempSync(join(tmpdir(), "care-test-"))
  chmodSync(folder, 0o755)

  const prepare = Effect.gen(function* () {
    const port = yield* findFreeBase([0])
    const { url } = yield* runEmbeddedPostgres({
      directory: join(folder, "postgres"),
      port,
      password: "test",
      isDurable: false
    })
    yield* Effect.flatMap(SqlClient.SqlClient, (sql) => sql`CREATE DATABASE ${sql(templateName)}`).pipe(
      Effect.provide(PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
    )
    const template = Redacted.make(url.replace(/\/postgres$/, `/${templateName}`))
    yield* migrate({ url: template, schema: "auth", migrations: authMigrations })
    yield* migrate({ url: template, schema: "cases", migrations: casesMigrations })
    yield* migrate({ url: template, schema: "payments", migrations: paymentsMigrations })
    return url
  })

  const remove = async () => {
    await Effect.runPromise(Scope.close(scope, Exit.void))
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    project.provide("databaseUrl", await Effect.runPromise(Scope.provide(prepare, scope)))
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
  }
}
