import { createHash, createHmac } from "node:crypto"
import { peers, type ServiceName } from "@care/domain/peers"
import { databaseFailure, databaseHost } from "@care/service-kit/boot"
import { PgClient } from "@effect/sql-pg"
import { Data, Effect, Record, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** The database cannot be used; `message` is a sentence. */
class ProvisioningFailed extends Data.TaggedError("ProvisioningFailed")<{ readonly message: string }> {}

/** The services that have a schema. */
export const services = Record.keys(peers)

/** Returns the same value for every service, such as the URL of one database for all. */
export const forEveryService = <A>(value: A): Readonly<Record<ServiceName, A>> => Record.map(peers, () => value)

/** Returns the variable with the URL of a service's own database. */
export const databaseVariable = (service: ServiceName): string => `DATABASE_URL_${service.toUpperCase()}`

interface Provisioned {
  readonly urls: Readonly<Record<ServiceName, string>>
  /** False when all services use the owner's role: it cannot create roles, or it owns the schemas. */
  readonly hasOwnRoles: boolean
}

const nameBytes = 63

/**
 * Returns the role of a service on a database. Roles are cluster-wide, so they have the database in their names.
 * PostgreSQL truncates names at 63 bytes, so a long name is hashed.
 */
export const roleName = (database: string, service: ServiceName): string => {
  const fullName = `care_${database}_${service}`
  if (Buffer.byteLength(fullName) <= nameBytes) return fullName
  return `care_${createHash("sha256").update(database).digest("hex").slice(0, 32)}_${service}`
}

const newRole =
  "CREATE ROLE %I LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS PASSWORD %L CONNECTION LIMIT %s"
// Without attributes that the role lacks: naming them needs the right to grant them.
const existingRole = "ALTER ROLE %I LOGIN PASSWORD %L CONNECTION LIMIT %s"

// No service can take another's connections.
const ensureRole = Effect.fnUntraced(function* (role: string, password: string) {
  const sql = yield* SqlClient.SqlClient
  const [existing] = yield* sql`SELECT 1 FROM pg_roles WHERE rolname = ${role}`
  const [command] = yield* sql<{ text: string }>`
    SELECT format(${existing === undefined ? newRole : existingRole}, ${role}::text, ${password}::text,
                  (current_setting('max_connections')::int - current_setting('superuser_reserved_connections')::int)
                    / ${services.length}::int) AS text
  `
  yield* sql.unsafe(command?.text ?? "")
})

// A connection of a pooler in transaction mode is nobody's session: what a session would set, its role sets. A session's own settings win.
const roleSettings = (service: ServiceName) => ({
  search_path: service,
  statement_timeout: "60s",
  idle_in_transaction_session_timeout: "15s"
})

const setDefaults = Effect.fnUntraced(function* (role: string, service: ServiceName) {
  const sql = yield* SqlClient.SqlClient
  for (const [name, value] of Object.entries(roleSettings(service))) {
    yield* sql`ALTER ROLE ${sql(role)} SET ${sql(name)} = ${sql.literal(`'${value}'`)}`
  }
})

// Only if the owner may do so. Otherwise the database's administrator decides.
const closePublicSchema = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [mayClose] = yield* sql`
    SELECT 1 FROM pg_namespace WHERE nspname = 'public' AND pg_has_role(nspowner, 'USAGE')
  `
  if (mayClose !== undefined) yield* sql`REVOKE ALL ON SCHEMA public FROM PUBLIC`
})

const provisionService = Effect.fnUntraced(function* (service: ServiceName, role: string, password: string) {
  const sql = yield* SqlClient.SqlClient
  yield* ensureRole(role, password)
  yield* setDefaults(role, service)
  // Creating a schema for a role needs membership in it.
  yield* sql`GRANT ${sql(role)} TO CURRENT_USER`
  yield* sql`CREATE SCHEMA IF NOT EXISTS ${sql(service)} AUTHORIZATION ${sql(role)}`
  const [schema] = yield* sql<{ owner: string }>`
    SELECT pg_get_userbyid(nspowner) AS owner FROM pg_namespace WHERE nspname = ${service}
  `
  if (schema?.owner !== role) {
    return yield* new ProvisioningFailed({
      message: `its schema ${service} belongs to ${schema?.owner}, not to ${role}`
    })
  }
})

const provisionSchemas = Effect.fnUntraced(function* (ofDatabase: ReadonlyArray<ServiceName>) {
  const sql = yield* SqlClient.SqlClient
  for (const service of ofDatabase) {
    const [{ isThere } = { isThere: false }] = yield* sql<{ isThere: boolean }>`
      SELECT to_regnamespace(${service}) IS NOT NULL AS "isThere"
    `
    // Even with IF NOT EXISTS this needs the right to create schemas.
    if (!isThere) yield* sql`CREATE SCHEMA ${sql(service)}`
  }
})

interface DatabaseProperties {
  readonly version: number
  readonly database: string
  /** False when the owner cannot create roles, or its own services have filled the schemas. */
  readonly shouldHaveRoles: boolean
}

const readProperties = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const [properties] = yield* sql<DatabaseProperties>`
    SELECT current_setting('server_version_num')::int AS version, current_database() AS database,
           (rolcreaterole OR rolsuper) AND NOT EXISTS (
             SELECT FROM pg_namespace WHERE nspname IN ${sql.in(services)} AND nspowner = pg_roles.oid
           ) AS "shouldHaveRoles"
    FROM pg_roles WHERE rolname = current_user
  `
  if (properties === undefined || properties.version < 150_000) {
    return yield* new ProvisioningFailed({ message: "it is older than PostgreSQL 15" })
  }
  return properties
})

// Returns the URLs of services that have one database, and whether each has a role of its own.
const provisionDatabase = (ownerUrl: string, ofDatabase: ReadonlyArray<ServiceName>, secret: string) => {
  const withCredentials = (role: string, password: string): string => {
    const url = new URL(ownerUrl)
    url.username = role
    url.password = password
    return url.toString()
  }
  const provisionOne = (database: string, service: ServiceName) => {
    const role = roleName(database, service)
    // Every service knows the secret, but not the owner's password.
    const password = createHmac("sha256", `${secret} ${new URL(ownerUrl).password}`)
      .update(role)
      .digest("base64url")
    return Effect.as(provisionService(service, role, password), [service, withCredentials(role, password)] as const)
  }
  const variables = ofDatabase.length === services.length ? [] : ofDatabase.map(databaseVariable)

  return Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const provisionAll = Effect.gen(function* () {
      yield* sql`SELECT pg_advisory_xact_lock(hashtext('care provision'))`
      const { database, shouldHaveRoles } = yield* readProperties
      if (!shouldHaveRoles) {
        yield* provisionSchemas(ofDatabase)
        return { urls: ofDatabase.map((service) => [service, ownerUrl] as const), hasOwnRoles: false }
      }
      yield* closePublicSchema
      const urls = yield* Effect.forEach(ofDatabase, (service) => provisionOne(database, service))
      return { urls, hasOwnRoles: true }
    })
    return yield* sql.withTransaction(provisionAll)
  }).pipe(
    Effect.provide(
      PgClient.layer({ url: Redacted.make(ownerUrl), maxConnections: 1, connectTimeout: "5 seconds", prepare: false })
    ),
    Effect.catchCause((cause) =>
      Effect.fail(
        new ProvisioningFailed({
          message: `PostgreSQL at ${databaseHost(ownerUrl)} cannot be used: ${databaseFailure(cause)}. Check ${["DATABASE_URL", ...variables].join(" or ")}.`
        })
      )
    )
  )
}

/**
 * Makes a schema and a role for each service in its database (PostgreSQL 15 or newer), of which `ownerUrls` has the owner's URL. Passwords
 * are derived from `secret` and the owner's. A role can use only its schema and its share of the connections. Idempotent, also in parallel.
 */
export const provision = Effect.fnUntraced(function* (
  ownerUrls: Readonly<Record<ServiceName, string>>,
  secret: string
): Effect.fn.Return<Provisioned, ProvisioningFailed> {
  const urls = { ...ownerUrls }
  let hasOwnRoles = true
  for (const [ownerUrl, ofDatabase] of Map.groupBy(services, (service) => ownerUrls[service])) {
    const provisioned = yield* provisionDatabase(ownerUrl, ofDatabase, secret)
    for (const [service, url] of provisioned.urls) urls[service] = url
    hasOwnRoles &&= provisioned.hasOwnRoles
  }
  return { urls, hasOwnRoles }
})
