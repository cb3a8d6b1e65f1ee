import { PgClient } from "@effect/sql-pg"
import { assert, layer } from "@effect/vitest"
import { Context, Deferred, Effect, Fiber, Layer, Redacted } from "effect"
import { SqlClient } from "effect/sql"
import { makeEmptyDatabase } from "../testing/layerTestDatabase.ts"
import { until } from "../testing/until.ts"
import { concurrentIndex, OutsideTransaction, partitionedIndex } from "./Migration.ts"
import { migrate } from "./migrate.ts"

const statement = (text: string) => SqlClient.SqlClient.use((sql) => Effect.asVoid(sql.unsafe(text)))

const migrations = {
  "0001_create_things": statement("CREATE TABLE things (id integer PRIMARY KEY)"),
  "0002_add_name": statement("ALTER TABLE things ADD COLUMN name text")
}

const indexed = { ...migrations, "0003_index_names": concurrentIndex("things_by_name", "things (name)") }

const query = <A, E>(url: Redacted.Redacted, effect: (sql: SqlClient.SqlClient) => Effect.Effect<A, E>) =>
  Effect.flatMap(SqlClient.SqlClient, effect).pipe(Effect.provide(PgClient.layer({ url, maxConnections: 1 })))

const stored = (url: Redacted.Redacted) =>
  query(url, (sql) => sql<{ name: string }>`SELECT name FROM fresh.migrations ORDER BY migration_id`).pipe(
    Effect.map((rows) => rows.map(({ name }) => name))
  )

class OneDatabase extends Context.Service<OneDatabase, Effect.Success<typeof makeEmptyDatabase>>()(
  "@care/service-kit/sql/migrate.test/OneDatabase"
) {
  static readonly layer = Layer.effect(OneDatabase, makeEmptyDatabase)
}

// The database of all these tests, which has no schema of this name until the test makes it.
const withoutSchema = Effect.gen(function* () {
  const url = Redacted.make((yield* OneDatabase).url)
  yield* Effect.addFinalizer(() => Effect.orDie(query(url, (sql) => sql`DROP SCHEMA fresh CASCADE`)))
  return url
})

layer(OneDatabase.layer, { excludeTestServices: true })("migrations", (it) => {
  it.effect("several instances that start together run every migration once, in a new schema", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      const run = migrate({ url, schema: "fresh", migrations: indexed })
      yield* Effect.all([run, run, run, run], { concurrency: "unbounded" })
      yield* run
      assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name", "index_names"])
    })
  )

  const changed = (count: number) => ({
    ...migrations,
    "0003_add_colour": statement("ALTER TABLE things ADD COLUMN colour text"),
    ...(count > 1 && { "0004_add_size": statement("ALTER TABLE things ADD COLUMN size integer") })
  })

  // What PostgreSQL has of the schema, which a process that only starts must not change.
  const contents = (url: Redacted.Redacted) =>
    query(url, (sql) =>
      Effect.all([
        sql`SELECT * FROM fresh.migrations ORDER BY migration_id`,
        sql`SELECT table_name, column_name FROM information_schema.columns WHERE table_schema = 'fresh' ORDER BY 1, 2`
      ])
    )

  it.effect("a version starts on a schema that the next one migrated, and leaves it as it is", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations }, 7)
      yield* migrate({ url, schema: "fresh", migrations: changed(2) }, 8)
      const before = yield* contents(url)
      yield* migrate({ url, schema: "fresh", migrations }, 7)
      // An earlier build of the same version.
      yield* migrate({ url, schema: "fresh", migrations: changed(1) }, 8)
      assert.deepStrictEqual(yield* contents(url), before)
    })
  )

  it.effect("a version refuses a schema that is two versions ahead, names both, and leaves it as it is", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations }, 7)
      yield* migrate({ url, schema: "fresh", migrations: changed(1) }, 8)
      yield* migrate({ url, schema: "fresh", migrations: changed(2) }, 9)
      const before = yield* contents(url)
      const { message } = yield* Effect.flip(migrate({ url, schema: "fresh", migrations }, 7))
      assert.strictEqual(
        message,
        "The schema fresh has migrations of version 9, and this is version 7, which runs on a database of version 8 at most. Start version 8 or 9."
      )
      assert.deepStrictEqual(yield* contents(url), before)
      yield* migrate({ url, schema: "fresh", migrations: changed(1) }, 8)
    })
  )

  it.effect("a schema that a version made which recorded no versions counts as version 1", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations: changed(1) }, 1)
      yield* query(url, (sql) => sql`ALTER TABLE fresh.migrations DROP COLUMN version`)
      yield* migrate({ url, schema: "fresh", migrations }, 0)
      yield* migrate({ url, schema: "fresh", migrations: changed(2) }, 2)
      const versions = yield* query(url, (sql) => sql`SELECT version FROM fresh.migrations ORDER BY migration_id`)
      assert.deepStrictEqual(versions, [{ version: 1 }, { version: 1 }, { version: 1 }, { version: 2 }])
    })
  )

  it.effect("a role that may only read its migrations starts on a schema that has all of them", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations })
      const role = `reader_${process.pid}`
      const statements = (...texts: ReadonlyArray<string>) =>
        query(url, (sql) => Effect.forEach(texts, (text) => sql.unsafe(text)))
      yield* statements(
        `CREATE ROLE ${role} LOGIN PASSWORD 'reader'`,
        `GRANT USAGE ON SCHEMA fresh TO ${role}`,
        `GRANT SELECT ON fresh.migrations TO ${role}`
      )
      yield* Effect.addFinalizer(() => Effect.orDie(statements(`DROP OWNED BY ${role}`, `DROP ROLE ${role}`)))
      const reader = new URL(Redacted.value(url))
      reader.username = role
      reader.password = "reader"
      yield* migrate({ url: Redacted.make(reader.href), schema: "fresh", migrations })
    })
  )

  // The migrations of schemas of other histories.
  const others: Readonly<Record<string, ReadonlyArray<string>>> = {
    "a migration that this one does not know": ["0001_create_things", "0004_create_organization_access"],
    "a migration of this version under another number": ["0001_create_things", "0003_add_name"],
    "only a later migration of this version": ["0002_add_name"]
  }

  for (const [what, names] of Object.entries(others)) {
    it.effect(`a schema with ${what} is refused and left as it is`, () =>
      Effect.gen(function* () {
        const url = yield* withoutSchema
        const steps = names.map((name) => [name, statement(`CREATE TABLE "${name}" ()`)] as const)
        yield* migrate({ url, schema: "fresh", migrations: Object.fromEntries(steps) })
        const before = yield* contents(url)

        const { message } = yield* Effect.flip(migrate({ url, schema: "fresh", migrations }))
        assert.match(
          message,
          /^The schema fresh was not made by this version \(\d+\) .* has the migration 000\d_\w+ where this version has 000\d_\w+\. Start the version that made it, or set DATABASE_URL /
        )
        assert.deepStrictEqual(yield* contents(url), before)
      })
    )
  }

  it.effect("the lock is held by an open transaction, so that it ends with its process also behind a pooler", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      const holders = query(
        url,
        (sql) => sql`
          SELECT state, backend_xmin::text AS snapshot FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE locktype = 'advisory' AND application_name = 'care-fresh-migrations'
        `
      )
      const seen = yield* Deferred.make<Effect.Success<typeof holders>>()
      // Outside of a transaction of its own, and with the connections idle.
      const look = new OutsideTransaction(Effect.orDie(Effect.flatMap(holders, (rows) => Deferred.succeed(seen, rows))))
      yield* migrate({ url, schema: "fresh", migrations: { ...migrations, "0003_look": look } })
      assert.deepStrictEqual(yield* Deferred.await(seen), [{ state: "idle in transaction", snapshot: null }])
      assert.deepStrictEqual(yield* holders, [])
    })
  )

  it.effect("of two instances that both lost the lock, one runs a migration, and the other one fails", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations })
      const counted = { ...migrations, "0003_insert": statement("INSERT INTO things VALUES (nextval('runs'))") }
      yield* query(url, (sql) => sql`CREATE SEQUENCE fresh.runs`)
      // Ends the session that has the lock as soon as its migration waits: the first one's for the table, the second one's for the first.
      const endLocks = query(url, (sql) => {
        const waiting = sql`
          SELECT FROM pg_stat_activity WHERE application_name = 'care-fresh-migrations' AND wait_event_type = 'Lock'
        `
        const end = sql`
          SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_stat_activity USING (pid)
          WHERE locktype = 'advisory' AND application_name = 'care-fresh-migrations' AND state = 'idle in transaction'
        `
        return Effect.forEach([1, 2], (count) =>
          Effect.andThen(
            until(waiting, ({ length }) => length === count),
            end
          )
        )
      })
      const run = Effect.forkIn(migrate({ url, schema: "fresh", migrations: counted }), yield* Effect.scope)
      const instances = yield* whileWritten(
        url,
        "LOCK TABLE fresh.things",
        Effect.tap(Effect.all([run, run]), () => endLocks)
      )
      const errors = yield* Effect.all(instances.map((fiber) => Effect.flip(Fiber.join(fiber))))
      const [lost = "", refused = ""] = errors.map(({ message }) => message).sort()
      assert.match(lost, /^Cannot use PostgreSQL /)
      assert.match(refused, /^The migration 0003_insert of the schema fresh failed \(SqlError \w+ SQLSTATE 23505/)
      assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name", "insert"])
      assert.lengthOf(yield* query(url, (sql) => sql`SELECT FROM fresh.things`), 1)
    })
  )

  it.effect("a migration that fails does not undo those before it, and the next start continues with it", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      const broken = {
        ...migrations,
        "0002_add_name": Effect.andThen(statement("CREATE TABLE lost ()"), statement("SELECT 'migraine'::integer"))
      }
      const { message } = yield* Effect.flip(migrate({ url, schema: "fresh", migrations: broken }))
      assert.match(message, /^The migration 0002_add_name of the schema fresh failed \(SqlError \w+ SQLSTATE 22P02; /)
      assert.notInclude(message, "migraine")
      assert.deepStrictEqual(yield* stored(url), ["create_things"])
      assert.deepStrictEqual(yield* query(url, (sql) => sql`SELECT to_regclass('fresh.lost') AS lost`), [
        { lost: null }
      ])
      yield* migrate({ url, schema: "fresh", migrations })
      assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name"])
    })
  )

  // Ends the session of a migration as soon as it waits for a lock of this kind.
  const killWhileWaiting = (url: Redacted.Redacted, lock: string) =>
    query(url, (sql) =>
      until(
        sql`
        SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND application_name = 'care-fresh-migrations' AND wait_event = ${lock}
      `,
        ({ length }) => length === 1
      )
    )

  // Runs an effect inside a transaction that has written, which holds its locks until the effect has ended.
  const whileWritten = <A, E>(url: Redacted.Redacted, text: string, effect: Effect.Effect<A, E>) =>
    query(url, (sql) => sql.withTransaction(Effect.andThen(sql.unsafe(text), effect)))

  it.effect("writers of a table do not wait for a migration that waits for a reader of that table", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations: { "0001_create_things": migrations["0001_create_things"] } })
      const run = Effect.forkIn(migrate({ url, schema: "fresh", migrations }), yield* Effect.scope)
      const waiting = query(url, (sql) =>
        until(
          sql`SELECT FROM pg_stat_activity WHERE application_name = 'care-fresh-migrations' AND wait_event = 'relation'`,
          ({ length }) => length === 1
        )
      )
      const write = query(url, (sql) => sql`INSERT INTO fresh.things VALUES (1)`)
      const migrated = yield* whileWritten(
        url,
        "SELECT FROM fresh.things",
        Effect.tap(run, () => Effect.andThen(waiting, write))
      )
      yield* Fiber.join(migrated)
      assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name"])
    })
  )

  it.effect("a migration that is killed does not undo those before it, and the next start continues with it", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations: { "0001_create_things": migrations["0001_create_things"] } })
      const halves = {
        "0001_create_things": migrations["0001_create_things"],
        "0002_make_half": statement("CREATE TABLE half ()"),
        "0003_add_name": Effect.andThen(statement("CREATE TABLE lost ()"), migrations["0002_add_name"])
      }
      const killed = Effect.all(
        [Effect.flip(migrate({ url, schema: "fresh", migrations: halves })), killWhileWaiting(url, "relation")],
        {
          concurrency: "unbounded"
        }
      )
      const [{ message }] = yield* whileWritten(url, "INSERT INTO fresh.things VALUES (1)", killed)
      assert.match(message, /^The migration 0003_add_name of the schema fresh failed \(/)
      assert.deepStrictEqual(yield* stored(url), ["create_things", "make_half"])
      yield* migrate({ url, schema: "fresh", migrations: halves })
      assert.deepStrictEqual(yield* stored(url), ["create_things", "make_half", "add_name"])
    })
  )

  const isValid = (url: Redacted.Redacted) =>
    query(
      url,
      (sql) => sql`SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass('fresh.things_by_name')`
    )

  it.effect("an index is built beside writers, and built again after its build was killed", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations })
      const run = migrate({ url, schema: "fresh", migrations: indexed })
      const write = query(url, (sql) => sql`INSERT INTO fresh.things VALUES (2)`)
      const killed = Effect.all([Effect.flip(run), Effect.andThen(write, killWhileWaiting(url, "virtualxid"))], {
        concurrency: "unbounded"
      })
      yield* whileWritten(url, "INSERT INTO fresh.things VALUES (1)", killed)
      assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name"])
      assert.deepStrictEqual(yield* isValid(url), [{ valid: false }])
      yield* run
      assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name", "index_names"])
      assert.deepStrictEqual(yield* isValid(url), [{ valid: true }])
    })
  )

  it.effect(
    "an index of partitions is built beside writers, also after its build was killed, and later partitions have it",
    () =>
      Effect.gen(function* () {
        const url = yield* withoutSchema
        const parted = {
          "0001_create_events": statement("CREATE TABLE events (month integer, name text) PARTITION BY RANGE (month)"),
          "0002_add_may": statement("CREATE TABLE events_5 PARTITION OF events FOR VALUES FROM (5) TO (6)"),
          "0003_add_default": statement("CREATE TABLE events_default PARTITION OF events DEFAULT")
        }
        yield* migrate({ url, schema: "fresh", migrations: parted })
        const index = partitionedIndex("events", "by_name", "(name) WHERE month > 0")
        const run = migrate({ url, schema: "fresh", migrations: { ...parted, "0004_index_events": index } })
        const write = query(url, (sql) => sql`INSERT INTO fresh.events VALUES (5, 'a'), (7, 'b')`)
        const killed = Effect.all([Effect.flip(run), Effect.andThen(write, killWhileWaiting(url, "virtualxid"))], {
          concurrency: "unbounded"
        })
        yield* whileWritten(url, "INSERT INTO fresh.events_5 VALUES (5, 'c')", killed)
        const indexes = query(
          url,
          (sql) => sql`
          SELECT indrelid::regclass::text AS of, indisvalid AS valid FROM pg_index
          WHERE indrelid::regclass::text LIKE 'fresh.events%' ORDER BY 1
        `
        )
        assert.deepStrictEqual(yield* indexes, [{ of: "fresh.events_5", valid: false }])
        yield* run
        yield* query(
          url,
          (sql) => sql`CREATE TABLE fresh.events_6 PARTITION OF fresh.events FOR VALUES FROM (6) TO (7)`
        )
        assert.deepStrictEqual(
          yield* indexes,
          ["events", "events_5", "events_6", "events_default"].map((table) => ({ of: `fresh.${table}`, valid: true }))
        )
      })
  )

  it.effect("an index that was built, but not recorded, is kept", () =>
    Effect.gen(function* () {
      const url = yield* withoutSchema
      yield* migrate({ url, schema: "fresh", migrations: indexed })
      const oid = query(url, (sql) => sql`SELECT to_regclass('fresh.things_by_name')::oid AS oid`)
      const built = yield* oid
      yield* query(url, (sql) => sql`DELETE FROM fresh.migrations WHERE name = 'index_names'`)
      yield* migrate({ url, schema: "fresh", migrations: indexed })
      assert.deepStrictEqual(yield* oid, built)
      assert.deepStrictEqual(yield* stored(url), ["create_things", "add_name", "index_names"])
    })
  )

  it.effect("no migration runs under a timeout but for locks, whatever the database is set to", () =>
    Effect.gen(function* () {
      const { name, url: superuser } = yield* makeEmptyDatabase
      const url = Redacted.make(superuser)
      const timeouts = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"]
      for (const timeout of timeouts) {
        yield* query(url, (sql) => sql`ALTER DATABASE ${sql(name)} SET ${sql(timeout)} = '9s'`)
      }
      const settings = (table: string) => `
      CREATE TABLE public.${table} AS SELECT name, setting FROM pg_settings WHERE name = ANY('{${timeouts}}') ORDER BY name
    `
      yield* query(url, (sql) => sql.unsafe(settings("usual")))
      yield* migrate({ url, schema: "fresh", migrations: { "0001_look": statement(settings("migrating")) } })
      const seen = (table: string) =>
        query(url, (sql) => sql<{ setting: string }>`SELECT setting FROM public.${sql(table)}`).pipe(
          Effect.map((rows) => rows.map(({ setting }) => setting))
        )
      assert.deepStrictEqual(yield* seen("usual"), ["9000", "9000", "9000"])
      // In the order of their names: a transaction waits for a lock a second.
      assert.deepStrictEqual(yield* seen("migrating"), ["0", "1000", "0"])
    })
  )

  it.effect("a database that does not answer fails with one sentence, without the password", () =>
    Effect.gen(function* () {
      const url = Redacted.make("postgresql://someone:secret@127.0.0.1:1/care")
      const { message } = yield* Effect.flip(migrate({ url, schema: "fresh", migrations }))
      assert.match(message, /^Cannot use PostgreSQL at 127\.0\.0\.1:1 \(.*ECONNREFUSED.*\): check DATABASE_URL\.$/)
      assert.notInclude(message, "secret")
    })
  )
})
