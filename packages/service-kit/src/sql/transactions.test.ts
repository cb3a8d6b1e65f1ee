import { assert, layer } from "@effect/vitest"
import { Deferred, Effect, Exit, Fiber } from "effect"
import { SqlClient } from "effect/sql"
import { layerTestDatabase } from "../testing/layerTestDatabase.ts"
import { until } from "../testing/until.ts"
import { execute } from "./rows.ts"
import { afterCommit, inTransaction } from "./transactions.ts"

layer(layerTestDatabase("cases"), { excludeTestServices: true })("afterCommit", (it) => {
  const log: Array<string> = []
  const note = (line: string) => Effect.sync(() => void log.push(line))
  const noted = Effect.sync(() => log.splice(0))

  it.effect("runs after the commit of the outermost transaction, in order", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* afterCommit(note("first"))
          yield* sql.withTransaction(afterCommit(note("second")))
          yield* sql`SELECT 1`
          yield* note("inside")
        })
      )
      yield* note("outside")
      assert.deepStrictEqual(yield* noted, ["inside", "first", "second", "outside"])
    })
  )

  it.effect("does not run after a rollback, and runs immediately without a transaction", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* Effect.exit(sql.withTransaction(Effect.andThen(afterCommit(note("never")), Effect.fail("rolled back"))))
      yield* Effect.exit(sql.withTransaction(Effect.andThen(afterCommit(note("never")), Effect.interrupt)))
      yield* afterCommit(note("immediately"))
      assert.deepStrictEqual(yield* noted, ["immediately"])
    })
  )

  it.effect("does not run for a nested transaction that rolled back", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql.withTransaction(
        Effect.gen(function* () {
          yield* Effect.exit(
            sql.withTransaction(Effect.andThen(afterCommit(note("never")), Effect.fail("rolled back")))
          )
          yield* sql.withTransaction(sql.withTransaction(afterCommit(note("innermost"))))
          yield* note("inside")
        })
      )
      assert.deepStrictEqual(yield* noted, ["inside", "innermost"])
    })
  )

  it.effect("sees the committed rows", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE committed (id integer)`
      const others = sql<{ id: number }>`SELECT id FROM committed`.pipe(
        Effect.orDie,
        Effect.flatMap((rows) => note(rows.map(({ id }) => id).join()))
      )
      yield* sql.withTransaction(Effect.andThen(sql`INSERT INTO committed VALUES (7)`, afterCommit(others)))
      assert.deepStrictEqual(yield* noted, ["7"])
    })
  )

  it.effect("runs also if the fiber is interrupted during the commit", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* sql`CREATE TABLE slow (id integer)`
      yield* sql`
        CREATE FUNCTION wait_for_turn() RETURNS trigger LANGUAGE plpgsql
        AS 'BEGIN PERFORM pg_advisory_xact_lock(7); RETURN NULL; END'
      `
      yield* sql`
        CREATE CONSTRAINT TRIGGER at_commit AFTER INSERT ON slow DEFERRABLE INITIALLY DEFERRED
        FOR EACH ROW EXECUTE FUNCTION wait_for_turn()
      `
      const waiting = sql`
        SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'
      `
      const commits = until(waiting, ({ length }) => length === 1)

      const isHeld = yield* Deferred.make<void>()
      const isOver = yield* Deferred.make<void>()
      const holding = yield* Effect.forkChild(
        sql.withTransaction(
          Effect.all([
            sql`SELECT pg_advisory_xact_lock(7)`,
            Deferred.succeed(isHeld, undefined),
            Deferred.await(isOver)
          ])
        )
      )
      yield* Deferred.await(isHeld)
      const committing = yield* Effect.forkChild(
        sql.withTransaction(Effect.andThen(sql`INSERT INTO slow VALUES (7)`, afterCommit(note("committed"))))
      )
      yield* commits
      yield* Effect.sync(() => committing.interruptUnsafe())
      yield* Deferred.succeed(isOver, undefined)
      yield* Effect.all([Fiber.await(committing), Fiber.join(holding)])
      assert.deepStrictEqual(yield* sql`SELECT id FROM slow`, [{ id: 7 }])
      assert.deepStrictEqual(yield* noted, ["committed"])
    })
  )
})

layer(layerTestDatabase("cases"))("inTransaction", (it) => {
  it.effect("a failure of a change rolls it back and stays typed; a failure of the transaction is a defect", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      // The constraint is looked at when the transaction commits.
      yield* sql`CREATE TABLE things (id integer PRIMARY KEY DEFERRABLE INITIALLY DEFERRED)`
      const insert = (id: number) => execute(sql`INSERT INTO things (id) VALUES (${id}::integer)`)
      yield* inTransaction(sql)(insert(1))
      const refused = inTransaction(sql)(Effect.andThen(insert(2), Effect.fail("refused")))
      assert.strictEqual(yield* Effect.flip(refused), "refused")
      assert.isTrue(Exit.hasDies(yield* Effect.exit(inTransaction(sql)(insert(1)))))
      assert.deepStrictEqual(yield* sql`SELECT id FROM things`, [{ id: 1 }])
    })
  )
})
