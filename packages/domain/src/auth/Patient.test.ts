import { assert, it } from "@effect/vitest"
import { Effect, Exit, Schema } from "effect"
import { TestClock } from "effect/testing"
import { BirthDate } from "./Patient.ts"

it.effect("a day of birth is one from 1900 to today, in UTC", () =>
  Effect.gen(function* () {
    yield* TestClock.setTime(Date.parse("2026-01-01T23:59:00Z"))
    const decode = (day: string) => Effect.exit(Schema.decodeEffect(BirthDate)(day))
    for (const day of ["1900-01-01", "2026-01-01"]) assert.deepStrictEqual(yield* decode(day), Exit.succeed(day))
    for (const day of ["1899-12-31", "2026-01-02"]) assert.isTrue(Exit.isFailure(yield* decode(day)), day)
  })
)
