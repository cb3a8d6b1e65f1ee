import { Comment } from "@care/domain/cases"
import { UserId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Predicate, Schema, SchemaGetter } from "effect"
import * as fc from "fast-check"
import { plainly } from "../testing/plainly.ts"
import { decodeDirectly } from "./decodeDirectly.ts"
import { directDecoder } from "./directDecoder.ts"
import { notDecoded } from "./directShapes.ts"

const Timestamp = Comment.fields.createdAt

class Named extends Schema.Class<Named>("Named")({ name: Schema.String }) {}

// Decodes day 31 by an effect that is asynchronous, and all others by a synchronous one.
const Day = Schema.Int.pipe(
  Schema.decode({
    decode: SchemaGetter.transformEffect((day) =>
      day === 31 ? Effect.delay(Effect.succeed(day), 0) : Effect.succeed(day)
    ),
    encode: SchemaGetter.passthrough()
  })
)

// Has every kind of schema that rows consist of, and some that they seldom have.
const Thing = Schema.toCodecJson(
  Schema.Struct({
    id: UserId,
    at: Timestamp,
    endedAt: Schema.NullOr(Timestamp),
    kind: Schema.Literals(["SMALL", "LARGE"]),
    note: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(5))),
    remark: Schema.optional(Schema.NullOr(Schema.String)),
    limit: Schema.Int.pipe(Schema.withDecodingDefaultTypeKey(Effect.succeed(5))),
    size: Schema.Int,
    weight: Schema.Number,
    isOpen: Schema.Boolean,
    dayOfMonth: Day,
    parts: Schema.Array(Schema.Struct({ id: UserId, name: Schema.NullOr(Schema.String) })).check(Schema.isMaxLength(2)),
    pair: Schema.Tuple([Schema.String, Timestamp]),
    byName: Schema.Record(Schema.String, Timestamp),
    either: Schema.Union([Schema.String, Schema.Struct({ at: Timestamp })]),
    named: Named,
    anything: Schema.Unknown
  }).check(Schema.makeFilter(({ size, weight }) => (weight >= size ? undefined : "must weigh something")))
)

const encoded = {
  id: "3B241101-e2bb-4255-8caf-4136c566a962",
  at: "2026-11-20T10:00:00.000Z",
  endedAt: "2026-11-20T10:00:00.123456+00:00",
  kind: "SMALL",
  note: "short",
  remark: null,
  limit: 3,
  size: 1,
  weight: 2.5,
  isOpen: false,
  dayOfMonth: 1,
  parts: [
    { id: "3b241101-e2bb-4255-8caf-4136c566a962", name: null },
    { id: "3b241101-e2bb-4255-8caf-4136c566a962", name: "a", more: 1 }
  ],
  pair: ["a", "2026-11-20T10:00:00.000Z"],
  byName: { a: "2026-11-20T10:00:00.000Z" },
  either: { at: "2026-11-20T10:00:00.000Z" },
  named: { name: "Maria" },
  anything: { in: [1, "a", null] },
  more: 1
}

const odd = fc.constantFrom<Array<unknown>>(
  ...[undefined, null, true, 0, -1, 1.5, 31, Number.NaN, "", "text", "LARGE", "longer", "2026-13-01", new Date(0)],
  ...[new Date(Number.NaN), [], [1, 2, 3], {}, { at: 1 }, new Named({ name: "a" }), Symbol("odd"), () => 1]
)

/** Generates variants of a value in which one part is missing or replaced by something odd. */
const mutated = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => mutated(item).map((other) => value.with(index, other)))
    return fc.oneof(odd, ...items, fc.constant([...value, ...value]))
  }
  if (!Predicate.isObject(value) || value instanceof Date || value instanceof Named) return odd
  const members = Object.entries(value).flatMap(([name, member]) => [
    mutated(member).map((other) => ({ ...value, [name]: other })),
    fc.constant(Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)))
  ])
  return fc.oneof(odd, ...members)
}

const outcome = async <A>(effect: Effect.Effect<A, Schema.SchemaError>) =>
  Exit.match(await Effect.runPromiseExit(effect), {
    onSuccess: (value) => ({ value }),
    onFailure: (cause) => ({ refusal: Cause.pretty(cause) })
  })

describe("decodeDirectly", () => {
  it("decodes a valid value without the library", () => {
    assert.notStrictEqual(directDecoder(Thing.ast)(encoded), notDecoded)
  })

  it.effect("leaves everything to the library when it is switched off", () =>
    Effect.gen(function* () {
      let checks = 0
      const isEven = (value: number) => {
        checks += 1
        return value % 2 === 0
      }
      const directly = decodeDirectly(Schema.Number.check(Schema.makeFilter(isEven)))
      const refusal = Effect.flip(Effect.suspend(() => directly(1)))
      yield* refusal
      assert.strictEqual(checks, 2)
      yield* plainly("decoding", refusal)
      assert.strictEqual(checks, 3)
    })
  )

  it("decodes and refuses as the library does", async () => {
    const decode = Schema.decodeUnknownEffect(Thing)
    const directly = decodeDirectly(Thing)
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.constant(encoded), mutated(encoded)), async (input) => {
        assert.deepStrictEqual(await outcome(directly(input)), await outcome(decode(input)))
      }),
      { numRuns: 800 }
    )
  })
})
