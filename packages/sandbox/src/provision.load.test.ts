import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import type { SqlClient } from "effect/sql"
import { inject } from "vitest"
import { query } from "../test/query.ts"
import { forEveryService, provision, roleName, services } from "./provision.ts"

const urlOf = (database: string, user?: string): string => {
  const url = new URL(inject("databaseUrl"))
  url.pathname = `/${database}`
  if (user !== undefined) url.username = user
  if (user !== undefined) url.password = "owner"
  return url.toString()
}

const provisionAt = (ownerUrl: string, secret: string) => provision(forEveryService(ownerUrl), secret)

const uniqueName = (start: string) => `${start}_${randomUUID().replaceAll("-", "")}`

/** Makes a database with its own owner. Everything is removed when the scope closes. */
const makeDatabase = (rights: string, database = uniqueName("provision")) => {
  const owner = uniqueName("owner")
  const superuser = <A, E>(effect: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
    query(inject("databaseUrl"), effect)
  return Effect.acquireRelease(
    superuser((sql) =>
      sql
        .unsafe(`CREATE ROLE ${owner} LOGIN PASSWORD 'owner' ${rights}`)
        .pipe(Effect.andThen(sql`CREATE DATABASE ${sql(database)} OWNER ${sql(owner)} STRATEGY FILE_COPY`))
    ).pipe(Effect.as({ database, url: urlOf(database, owner) })),
    () =>
      superuser(
        Effect.fnUntraced(function* (sql) {
          yield* sql`DROP DATABASE ${sql(database)} WITH (FORCE)`
          for (const service of services) yield* sql`DROP ROLE IF EXISTS ${sql(roleName(database, service))}`
          yield* sql`DROP ROLE ${sql(owner)}`
        })
      ).pipe(Effect.orDie)
  )
}

const makeTable = (urls: Readonly<Record<ServiceName, string>>, service: ServiceName) =>
  query(urls[service], (sql) => sql`CREATE TABLE ${sql(service)}.kept AS SELECT 7 AS number`)

for (const rights of ["CREATEROLE", "SUPERUSER"]) {
  it.live(`an owner with ${rights}: each role fills its own schema and can neither read nor fill another`, () =>
    Effect.gen(function* () {
      const { database, url } = yield* makeDatabase(rights)
      const [first, repeated] = yield* Effect.all([provisionAt(url, "seed"), provisionAt(url, "seed")], {
        concurrency: 2
      })
      assert.deepStrictEqual(first, repeated)
      assert.isTrue(first.hasOwnRoles)
      for (const service of services) {
        assert.strictEqual(new URL(first.urls[service]).username, roleName(database, service))
        yield* makeTable(first.urls, service)
      }
      for (const service of services) {
        const others = services.filter((name) => name !== service)
        const statements = [
          ...others.flatMap((other) => [`SELECT * FROM ${other}.kept`, `CREATE TABLE ${other}.mine ()`]),
          "CREATE TABLE public.mine ()"
        ]
        yield* query(first.urls[service], (sql) =>
          Effect.forEach(statements, (statement) =>
            Effect.map(Effect.flip(sql.unsafe(statement)), ({ reason }) =>
              assert.strictEqual(reason._tag, "AuthorizationError", `${service}: ${statement}`)
            )
          )
        )
      }
    }).pipe(Effect.scoped)
  )
}

it.live("a role can use nothing but its schema, and at most a quarter of the server's connections", () =>
  Effect.gen(function* () {
    const { database, url } = yield* makeDatabase("CREATEROLE")
    const { urls } = yield* provisionAt(url, "seed")
    // The state of a database whose roles had no limit yet.
    yield* query(inject("databaseUrl"), (sql) =>
      Effect.forEach(services, (service) => sql`ALTER ROLE ${sql(roleName(database, service))} CONNECTION LIMIT -1`)
    )
    yield* provisionAt(url, "seed")
    for (const service of services) {
      const [rights] = yield* query(
        urls[service],
        (sql) => sql`
          SELECT rolsuper OR rolcreatedb OR rolcreaterole OR rolreplication OR rolbypassrls AS "hasRights",
                 rolconnlimit AS connections,
                 has_schema_privilege('public', 'USAGE') AS "usesPublic",
                 current_schemas(false)::text[] AS "looksIn",
                 current_setting('statement_timeout') || ' ' || current_setting('idle_in_transaction_session_timeout') AS timeouts,
                 has_database_privilege(current_database(), 'CREATE') AS "createsSchemas",
                 has_schema_privilege(${service}, 'CREATE') AS "fillsItsOwn"
          FROM pg_roles WHERE rolname = current_user
        `
      )
      assert.deepStrictEqual(rights, {
        hasRights: false,
        connections: 99,
        usesPublic: false,
        looksIn: [service],
        timeouts: "1min 15s",
        createsSchemas: false,
        fillsItsOwn: true
      })
    }
  }).pipe(Effect.scoped)
)

it.live("another secret gives other passwords, and the old ones stop working", () =>
  Effect.gen(function* () {
    const { url } = yield* makeDatabase("CREATEROLE")
    const before = yield* provisionAt(url, "seed")
    const after = yield* provisionAt(url, "another seed")
    yield* query(after.urls.auth, (sql) => sql`SELECT 1`)
    yield* Effect.flip(query(before.urls.auth, (sql) => sql`SELECT 1`))
  }).pipe(Effect.scoped)
)

it.live("the passwords cannot be derived from the secret without the owner's password", () =>
  Effect.gen(function* () {
    const { url } = yield* makeDatabase("CREATEROLE")
    const { urls } = yield* provisionAt(url, "seed")
    const changed = new URL(url)
    changed.password = "another"
    yield* query(inject("databaseUrl"), (sql) => sql.unsafe(`ALTER ROLE ${changed.username} PASSWORD 'another'`))
    const { urls: urlsAfter } = yield* provisionAt(changed.toString(), "seed")
    for (const service of services) assert.notStrictEqual(urlsAfter[service], urls[service])
  }).pipe(Effect.scoped)
)

it.live("two databases on one server have passwords of their own, also with long names that begin alike", () =>
  Effect.gen(function* () {
    const start = `d${randomUUID().replaceAll("-", "")}_with_a_long_name`
    const one = yield* makeDatabase("CREATEROLE", `${start}_1`)
    const two = yield* makeDatabase("CREATEROLE", `${start}_2`)
    const first = yield* provisionAt(one.url, "seed 1")
    const second = yield* provisionAt(two.url, "seed 2")
    for (const service of services) {
      yield* makeTable(first.urls, service)
      yield* makeTable(second.urls, service)
    }
  }).pipe(Effect.scoped)
)

it.live("an owner who may not create roles gets the schemas, and its own URL for every service", () =>
  Effect.gen(function* () {
    const { url } = yield* makeDatabase("")
    const provisioned = yield* provisionAt(url, "seed")
    assert.deepStrictEqual(provisioned, {
      urls: { auth: url, cases: url, payments: url, scheduling: url },
      hasOwnRoles: false
    })
    for (const service of services) yield* makeTable(provisioned.urls, service)
    yield* provisionAt(url, "seed")
  }).pipe(Effect.scoped)
)

it.live("schemas that services with the owner's role have filled stay with that role", () =>
  Effect.gen(function* () {
    const { url } = yield* makeDatabase("CREATEROLE")
    yield* query(url, (sql) => sql`CREATE SCHEMA cases`)
    assert.isFalse((yield* provisionAt(url, "seed")).hasOwnRoles)
  }).pipe(Effect.scoped)
)

it.live("says in a sentence what is wrong with a database, without its password", () =>
  Effect.gen(function* () {
    const url = new URL(inject("databaseUrl"))
    const sentences: ReadonlyArray<readonly [string, RegExp]> = [
      ["postgresql://someone:secret@127.0.0.1:1/care", /^PostgreSQL at 127\.0\.0\.1:1 cannot be used: .*ECONNREFUSED/],
      [`postgresql://postgres:secret@${url.host}/postgres`, /password authentication failed for user "postgres"/],
      [urlOf("nowhere"), /database "nowhere" does not exist/],
      ["secret", /an address that is no URL cannot be used/]
    ]
    for (const [ownerUrl, sentence] of sentences) {
      const { message } = yield* Effect.flip(provisionAt(ownerUrl, "seed"))
      assert.match(message, sentence)
      assert.match(message, / Check DATABASE_URL\.$/)
      assert.notInclude(message, "secret")
    }
  })
)

it.live("services with databases of their own get a role and a schema there alone, and share the others", () =>
  Effect.gen(function* () {
    const [shared, own] = [yield* makeDatabase("CREATEROLE"), yield* makeDatabase("CREATEROLE")]
    const { hasOwnRoles, urls } = yield* provision({ ...forEveryService(shared.url), cases: own.url }, "seed")
    assert.isTrue(hasOwnRoles)
    const schemas = (url: string) =>
      query(
        url,
        (sql) => sql<{ name: string }>`SELECT nspname AS name FROM pg_namespace WHERE nspname IN ${sql.in(services)}`
      )
    const namesAt = (url: string) => Effect.map(schemas(url), (rows) => rows.map(({ name }) => name).sort())
    assert.deepStrictEqual(yield* namesAt(shared.url), ["auth", "payments", "scheduling"])
    assert.deepStrictEqual(yield* namesAt(own.url), ["cases"])
    for (const service of services) yield* makeTable(urls, service)

    const wrong = { ...forEveryService(shared.url), cases: "postgresql://someone:secret@127.0.0.1:1/care" }
    const { message } = yield* Effect.flip(provision(wrong, "seed"))
    assert.match(message, / Check DATABASE_URL or DATABASE_URL_CASES\.$/)
  }).pipe(Effect.scoped)
)
