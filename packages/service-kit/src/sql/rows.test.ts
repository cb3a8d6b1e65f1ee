import { assert, describe, it } from "@effect/vitest"
import { Data, Effect, Exit, Fiber, Option, Schema, SchemaGetter } from "effect"
import { SqlError } from "effect/sql"
import { affects, execute, onViolation, rowsOf } from "./rows.ts"

class NameTaken extends Data.TaggedError("NameTaken") {}

const things = rowsOf(Schema.Struct({ name: Schema.String }))

const failWith = (reason: SqlError.SqlErrorReason) => Effect.fail(new SqlError.SqlError({ reason }))
const violation = (constraint: string) =>
  failWith(new SqlError.UniqueViolation({ cause: new Error("duplicate"), constraint, message: "duplicate" }))

describe("rowsOf", () => {
  const none = Effect.succeed([])
  const two = Effect.succeed([{ name: "a" }, { name: "b" }])

  it.effect("reads all rows, the first row if any, or a row that always exists", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual(yield* things.all(two), [{ name: "a" }, { name: "b" }])
      assert.deepStrictEqual(yield* things.first(two), Option.some({ name: "a" }))
      assert.deepStrictEqual(yield* things.first(none), Option.none())
      assert.deepStrictEqual(yield* things.one(two), { name: "a" })
      assert.isTrue(Exit.hasDies(yield* Effect.exit(things.one(none))))
    })
  )

  it.live("decodes many rows in order, a few at a time, so that other fibers run in between", () =>
    Effect.gen(function* () {
      let read = 0
      const Counted = Schema.String.pipe(
        Schema.decode({
          decode: SchemaGetter.transform((name) => {
            read += 1
            return name
          }),
          encode: SchemaGetter.passthrough()
        })
      )
      const rows = Array.from({ length: 101 }, (_, index) => ({ name: String(index) }))
      const reading = yield* Effect.forkChild(rowsOf(Schema.Struct({ name: Counted })).all(Effect.succeed(rows)))
      let longest = 0
      for (let before = 0; before < rows.length; before = read) {
        yield* Effect.yieldNow
        longest = Math.max(longest, read - before)
      }
      assert.deepStrictEqual(yield* Fiber.join(reading), rows)
      assert.isAtMost(longest, 20)
    })
  )

  it.effect("a row of another shape is a defect", () =>
    Effect.gen(function* () {
      assert.isTrue(Exit.hasDies(yield* Effect.exit(things.all(Effect.succeed([{ name: 1 }])))))
    })
  )

  it.effect("knows whether a statement returned a row", () =>
    Effect.gen(function* () {
      assert.deepStrictEqual([yield* affects(two), yield* affects(none)], [true, false])
    })
  )

  it.effect("an error of the database is a defect, except a violation with a meaning", () =>
    Effect.gen(function* () {
      const named = onViolation("things_name", () => new NameTaken())
      const exits = yield* Effect.forEach([things.all, things.first, things.one, execute, affects], (run) =>
        Effect.all([
          Effect.exit(run(violation("other").pipe(named))),
          Effect.flip(run(violation("things_name").pipe(named)))
        ])
      )
      for (const [other, typed] of exits) {
        assert.isTrue(Exit.hasDies(other))
        assert.instanceOf(typed, NameTaken)
      }
    })
  )

  it.effect("a violation on a shard of Citus, which only the message names, has the same meaning", () =>
    Effect.gen(function* () {
      const named = onViolation("things_name", () => new NameTaken())
      const onShard = (name: string) => {
        const cause = new Error(`duplicate key value violates unique constraint "${name}"`)
        const reasons = [
          new SqlError.UniqueViolation({ cause, constraint: "unknown", message: "duplicate" }),
          new SqlError.UnknownError({ cause, message: "duplicate" })
        ]
        return reasons.map((reason) => Effect.flip(failWith(reason).pipe(named)))
      }
      for (const taken of onShard("things_name_102030")) assert.instanceOf(yield* taken, NameTaken)
      const ofMonths = onViolation(/^things_\d+_pkey$/, () => new NameTaken())
      const ofMonth = violation("things_202611_pkey").pipe(ofMonths)
      assert.instanceOf(yield* Effect.flip(ofMonth), NameTaken)
      assert.instanceOf(yield* Effect.flip(violation("things_pkey").pipe(ofMonths)), SqlError.SqlError)
      for (const name of ["things_name", "things_name_key_102030", "other_102030"]) {
        for (const other of onShard(name)) assert.instanceOf(yield* other, SqlError.SqlError)
      }
    })
  )
})
