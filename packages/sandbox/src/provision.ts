import { createHmac } from "node:crypto"
import { PgClient } from "@effect/sql-pg"
import { Cause, Data, Effect, Predicate, Redacted } from "effect"
import { SqlClient, SqlError } from "effect/sql"

/** A database that cannot be used; `message` is a sentence. */
export class ProvisioningFailed extends Data.TaggedError("ProvisioningFailed")<{ readonly message: string }> {}

/** The services that have a schema of their own. */
export const services = ["auth", "cases", "payments", "scheduling"] as const
export type Service = (typeof services)[number]

/** The database URL of each service. */
export interface Provisioned {
  readonly urls: Readonly<Record<Service, string>>
  /** False when the owner may not create roles, so that all services share the owner's. */
  readonly hasOwnRoles: boolean
}

const reasonOf = (cause: Cause.Cause<unknown>): string => {
  const failure = Cause.squash(cause)
  if (failure instanceof ProvisioningFailed) return failure.message
  const inner = SqlError.isSqlError(failure) ? failure.reason.cause : failure
  const innermost = Predicate.hasProperty(inner, "cause") && inner.cause instanceof Error ? inner.cause : inner
  return innermost instanceof Error ? innermost.message : String(innermost)
}

// Roles are cluster-wide: with the database in their names, two suites on one server do not fight about passwords.
const roleName = (database: string, service: Service) => `care_${database}_${service}`.slice(0, 63)

const provisionService = Effect.fnUntraced(function* (service: Service, role: string, password: string) {
  const sql = yield* SqlClient.SqlClient
  const [known] = yield* sql`SELECT 1 FROM pg_roles WHERE rolname = ${role}`
  const [command] = yield* sql<{ text: string }>`
    SELECT format(${known === undefined ? "CREATE ROLE %I LOGIN PASSWORD %L" : "ALTER ROLE %I LOGIN PASSWORD %L"},
                  ${role}::text, ${password}::text) AS text
  `
  yield* sql.unsafe(command?.text ?? "")
  // Creating a schema for a role takes membership in it.
  yield* sql`GRANT ${sql(role)} TO CURRENT_USER`
  yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(service)} AUTHORIZATION ${sql(role)}`
})

/**
 * Gives each service a schema and a role of its own in the database of `ownerUrl` (PostgreSQL 15 or newer), with
 * passwords derived from `secret`. Safe to repeat, and when two starts meet.
 */
export const provision = (ownerUrl: string, secret: string): Effect.Effect<Provisioned, ProvisioningFailed> => {
  const withCredentials = (role: string, password: string): string => {
    const url = new URL(ownerUrl)
    url.username = role
    url.password = password
    return url.toString()
  }

  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const [facts] = yield* sql<{ version: number; database: string; mayCreateRoles: boolean }>`
      SELECT current_setting('server_version_num')::int AS version, current_database() AS database,
             (rolcreaterole OR rolsuper) AS "mayCreateRoles"
      FROM pg_roles WHERE rolname = current_user
    `
    if (facts === undefined || facts.version < 150_000) {
      return yield* new ProvisioningFailed({ message: "it is older than PostgreSQL 15" })
    }
    if (!facts.mayCreateRoles) {
      const urls = { auth: ownerUrl, cases: ownerUrl, payments: ownerUrl, scheduling: ownerUrl }
      return { urls, hasOwnRoles: false }
    }
    const provisionOne = (service: Service) => {
      const role = roleName(facts.database, service)
      const password = createHmac("sha256", secret).update(role).digest("base64url")
      return Effect.as(provisionService(service, role, password), withCredentials(role, password))
    }
    const urls = yield* sql.withTransaction(
      Effect.gen(function* () {
        yield* sql`SELECT pg_advisory_xact_lock(hashtext('care provision'))`
        return {
          auth: yield* provisionOne("auth"),
          cases: yield* provisionOne("cases"),
          payments: yield* provisionOne("payments"),
          scheduling: yield* provisionOne("scheduling")
        }
      })
    )
    return { urls, hasOwnRoles: true }
  }).pipe(
    Effect.provide(
      PgClient.layer({ url: Redacted.make(ownerUrl), maxConnections: 1, connectTimeout: "5 seconds", prepare: false })
    ),
    Effect.catchCause((cause) =>
      Effect.fail(
        new ProvisioningFailed({
          message: `PostgreSQL at ${hostOf(ownerUrl)} cannot be used: ${reasonOf(cause)}. Check DATABASE_URL.`
        })
      )
    )
  )
}

const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).host : "an address that is no URL")
