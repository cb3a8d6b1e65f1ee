import { services } from "@care/sandbox"
import { makeTestDatabase } from "@care/service-kit/testing"
import { PgClient } from "@effect/sql-pg"
import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { SqlClient } from "effect/sql"

/** The tables whose rows belong to no organization, with the reason. */
const nobodys: Readonly<Record<string, string>> = {
  "auth.organizations": "the organizations themselves",
  "auth.api_keys": "a key is what tells the organization, so it is found by its hash alone",
  "auth.single_sign_on_domains": "a domain is what tells the organization of who signs in, so it is found by itself",
  "payments.promo_codes": "the global ones belong to no organization, and an operator's path names an id alone",
  "payments.promo_code_terms": "what global ones are found by belongs to no organization",
  "auth.jobs": "the queue of all organizations, whose payloads are sealed",
  "cases.jobs": "the queue of all organizations, whose payloads are sealed",
  "payments.jobs": "the queue of all organizations, whose payloads are sealed",
  "scheduling.jobs": "the queue of all organizations, whose payloads are sealed",
  "cases.reconciliation_cursors": "how far a provider was compared, whose account is one for all organizations",
  "cases.reconciliation_leases": "who compares it now",
  "payments.reconciliation_cursors": "how far a provider was compared, whose account is one for all organizations",
  "payments.reconciliation_leases": "who compares it now",
  "scheduling.reconciliation_cursors": "how far a provider was compared, whose account is one for all organizations",
  "scheduling.reconciliation_leases": "who compares it now",
  "payments.payment_intents": "what the gateway tells of its intents, also before anybody names one",
  "payments.payment_events": "what came from the gateway, which may concern nobody's payment",
  "scheduling.provider_events": "what the scheduling provider told, which may concern nobody's appointment",
  "auth.stored_counts": "until when what is stored was counted, of all organizations",
  "cases.stored_counts": "until when what is stored was counted, of all organizations",
  "payments.stored_counts": "until when what is stored was counted, of all organizations",
  "scheduling.stored_counts": "until when what is stored was counted, of all organizations",
  "auth.idempotency_secrets": "what hashes the idempotency keys of all organizations",
  "cases.idempotency_secrets": "what hashes the idempotency keys of all organizations",
  "payments.idempotency_secrets": "what hashes the idempotency keys of all organizations",
  "scheduling.idempotency_secrets": "what hashes the idempotency keys of all organizations",
  "auth.organization_moves": "of all organizations one moves at a time",
  "cases.organization_moves": "of all organizations one moves at a time",
  "payments.organization_moves": "of all organizations one moves at a time",
  "scheduling.organization_moves": "of all organizations one moves at a time",
  "auth.secret_fingerprints": "which secrets the service accepts",
  "cases.secret_fingerprints": "which secrets the service accepts",
  "payments.secret_fingerprints": "which secrets the service accepts",
  "scheduling.secret_fingerprints": "which secrets the service accepts",
  "auth.migrations": "what was migrated",
  "cases.migrations": "what was migrated",
  "payments.migrations": "what was migrated",
  "scheduling.migrations": "what was migrated"
}

interface Constraint {
  readonly table: string
  readonly name: string
  readonly kind: string
  readonly columns: ReadonlyArray<string>
  readonly references: ReadonlyArray<string> | null
  readonly target: string | null
}

// Reads primary keys, unique constraints, unique indexes and foreign keys, with their columns in order.
const constraints = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<Constraint>`
    SELECT i.indrelid::regclass::text AS table, i.indexrelid::regclass::text AS name,
           CASE WHEN i.indisprimary THEN 'primary key' ELSE 'unique' END AS kind,
           ARRAY(
             SELECT a.attname FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, position)
             JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number ORDER BY k.position
           )::text[] AS columns,
           NULL::text[] AS references, NULL AS target
    FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
    WHERE i.indisunique AND c.relnamespace::regnamespace::text = ANY(ARRAY['auth', 'cases', 'payments', 'scheduling'])
    UNION ALL
    SELECT f.conrelid::regclass::text, f.conname, 'foreign key',
           ARRAY(
             SELECT a.attname FROM unnest(f.conkey) WITH ORDINALITY k (number, position)
             JOIN pg_attribute a ON a.attrelid = f.conrelid AND a.attnum = k.number ORDER BY k.position
           )::text[],
           ARRAY(
             SELECT a.attname FROM unnest(f.confkey) WITH ORDINALITY k (number, position)
             JOIN pg_attribute a ON a.attrelid = f.confrelid AND a.attnum = k.number ORDER BY k.position
           )::text[],
           f.confrelid::regclass::text
    FROM pg_constraint f
    WHERE f.contype = 'f' AND f.connamespace::regnamespace::text = ANY(ARRAY['auth', 'cases', 'payments', 'scheduling'])
  `
)

const tables = Effect.flatMap(
  SqlClient.SqlClient,
  (sql) => sql<{ table: string; hasOrganization: boolean }>`
    SELECT c.oid::regclass::text AS table, EXISTS (
      SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'organization_id' AND a.attnotnull
    ) AS "hasOrganization"
    FROM pg_class c
    WHERE c.relkind = 'r' AND c.relnamespace::regnamespace::text = ANY(ARRAY['auth', 'cases', 'payments', 'scheduling'])
  `
)

const isWalled = ({ columns, kind, references, target }: Constraint): boolean =>
  columns[0] === "organization_id" &&
  (kind !== "foreign key" || references?.[0] === (target === "auth.organizations" ? "id" : "organization_id"))

const onDatabase = <A, E>(effect: Effect.Effect<A, E, SqlClient.SqlClient>) =>
  Effect.gen(function* () {
    const { url } = yield* makeTestDatabase
    return yield* Effect.provide(effect, PgClient.layer({ url: Redacted.make(url), maxConnections: 1 }))
  }).pipe(Effect.scoped)

it.live("organization_id leads every primary key, unique constraint and foreign key of what an organization owns", () =>
  onDatabase(
    Effect.gen(function* () {
      const owned = (yield* tables).filter(({ table }) => nobodys[table] === undefined)
      assert.includeMembers(
        owned.map(({ table }) => table),
        [
          "auth.users",
          "auth.credentials",
          "auth.one_time_codes",
          "auth.refresh_tokens",
          "cases.cases",
          "cases.documents"
        ]
      )
      assert.deepStrictEqual(
        owned.filter(({ hasOrganization }) => !hasOrganization).map(({ table }) => table),
        []
      )
      const all = (yield* constraints).filter(({ table }) => nobodys[table] === undefined)
      assert.isAbove(all.length, 40)
      assert.deepStrictEqual(
        all.filter((constraint) => !isWalled(constraint)),
        []
      )
    })
  )
)

it.live("a table without the organization in its keys would be found", () =>
  onDatabase(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE cases.holes (id uuid PRIMARY KEY, organization_id uuid NOT NULL, case_id uuid UNIQUE)`
      yield* sql`ALTER TABLE cases.cases ADD UNIQUE (id)`
      yield* sql`ALTER TABLE cases.holes ADD FOREIGN KEY (case_id) REFERENCES cases.cases (id)`
      const holes = (yield* constraints).filter(({ table }) => table === "cases.holes")
      assert.deepStrictEqual(holes.map((hole) => [hole.kind, isWalled(hole)]).sort(), [
        ["foreign key", false],
        ["primary key", false],
        ["unique", false]
      ])
    })
  )
)

it.live("every table with a patient's id has an index that finds the patient's rows", () =>
  onDatabase(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const unindexed = sql<{ table: string }>`
        SELECT t.oid::regclass::text AS table FROM pg_class t
        JOIN pg_attribute o ON o.attrelid = t.oid AND o.attname = 'organization_id'
        JOIN pg_attribute u ON u.attrelid = t.oid AND u.attname = 'user_id'
        WHERE t.relkind = 'r' AND t.relnamespace::regnamespace::text = ANY(ARRAY['auth', 'cases', 'payments', 'scheduling'])
          AND NOT EXISTS (
            SELECT FROM pg_index i WHERE i.indrelid = t.oid AND i.indkey[0] = o.attnum AND i.indkey[1] = u.attnum
          )
      `
      assert.deepStrictEqual(yield* unindexed, [])
      yield* sql`DROP INDEX payments.payments_by_patient`
      assert.deepStrictEqual(yield* unindexed, [{ table: "payments.payments" }])
    })
  )
)

it.live("a form response cannot reference a case of another organization", () =>
  onDatabase(
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const [ownId, foreign, caseId] = ["a", "b", "c"].map(
        (letter) => `${letter.repeat(8)}-0000-4000-8000-000000000000`
      )
      yield* sql`
        INSERT INTO cases.cases (
          organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
        ) VALUES (${ownId}, ${caseId}, 'A', ${caseId}, '', 'OPEN', '', false, false, now(), now())
      `
      const respond = (organizationId: string | undefined) => sql`
        INSERT INTO cases.form_responses (organization_id, id, case_id, title, content, created_at)
        VALUES (${organizationId}, gen_random_uuid(), ${caseId}, '', '', now())
      `
      const refused = yield* Effect.flip(respond(foreign))
      assert.deepInclude(refused.reason.cause, { code: "23503" })
      yield* respond(ownId)
    })
  )
)

it.live("in tests, too, each service has a role that can use nothing but its own schema", () =>
  Effect.gen(function* () {
    const { urls } = yield* makeTestDatabase
    for (const service of services) {
      const usable = yield* Effect.provide(
        Effect.flatMap(
          SqlClient.SqlClient,
          (sql) => sql`
            SELECT nspname AS schema FROM pg_namespace
            WHERE nspname !~ '^pg_|^citus|^information_schema$' AND has_schema_privilege(oid, 'USAGE, CREATE')
          `
        ),
        PgClient.layer({ url: Redacted.make(urls[service]), maxConnections: 1 })
      )
      assert.deepStrictEqual(usable, [{ schema: service }])
    }
  }).pipe(Effect.scoped)
)
