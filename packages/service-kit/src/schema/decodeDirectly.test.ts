import { Comment } from "@care/domain/cases"
import { UserId } from "@care/domain/ids"
import { assert, describe, it } from "@effect/vitest"
import { Cause, Effect, Exit, Option, Predicate, Schema, SchemaGetter } from "effect"
import * as fc from "fast-check"
import { decodeDirectly } from "./decodeDirectly.ts"
import { plainDecoder } from "./plainDecoder.ts"
import { notTaken } from "./plainShapes.ts"

const Timestamp = Comment.fields.createdAt

const always = Schema.Literal(true).pipe(
  Schema.decodeTo(Schema.optionalKey(Schema.Literal(true)), {
    decode: SchemaGetter.passthrough(),
    encode: SchemaGetter.transformOptional(() => Option.some(true as const))
  })
)

class Named extends Schema.Class<Named>("Named")({ name: Schema.String }) {}

// What is no day of a month is refused by an effect that is done at once, and the last of a month by one that is not.
const Day = Schema.Int.pipe(
  Schema.decode({
    decode: SchemaGetter.transformEffect((day) =>
      day === 31 ? Effect.delay(Effect.succeed(day), 0) : Effect.succeed(day)
    ),
    encode: SchemaGetter.passthrough()
  })
)

// Something of everything that rows and answers consist of, and of what they seldom have.
const Thing = Schema.toCodecJson(
  Schema.Struct({
    success: always,
    id: UserId,
    at: Timestamp,
    endedAt: Schema.NullOr(Timestamp),
    kind: Schema.Literals(["SMALL", "LARGE"]),
    note: Schema.optionalKey(Schema.String.check(Schema.isMaxLength(5))),
    remark: Schema.optional(Schema.NullOr(Schema.String)),
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

const written = {
  success: true,
  id: "3B241101-e2bb-4255-8caf-4136c566a962",
  at: "2026-11-20T10:00:00.000Z",
  endedAt: "2026-11-20T10:00:00.123456+00:00",
  kind: "SMALL",
  note: "short",
  remark: null,
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

/** The value with something at a place of it gone, or something odd there. */
const changed = (value: unknown): fc.Arbitrary<unknown> => {
  if (Array.isArray(value)) {
    const items = value.map((item, index) => changed(item).map((other) => value.with(index, other)))
    return fc.oneof(odd, ...items, fc.constant([...value, ...value]))
  }
  if (!Predicate.isObject(value) || value instanceof Date || value instanceof Named) return odd
  const members = Object.entries(value).flatMap(([name, member]) => [
    changed(member).map((other) => ({ ...value, [name]: other })),
    fc.constant(Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)))
  ])
  return fc.oneof(odd, ...members)
}

const outcome = async <A>(effect: Effect.Effect<A, Schema.SchemaError>) =>
  Exit.match(await Effect.runPromiseExit(effect), {
    onSuccess: (value) => ({ value }),
    onFailure: (cause) => ({ refusal: Cause.pretty(cause) })
  })

// To encode is to decode by the schema the other way round.
const Written = Schema.flip(Thing)
const thing = Schema.decodeUnknownSync(Thing)(written)

describe("decodeDirectly", () => {
  it("needs no help of the library with what is valid", () => {
    assert.notStrictEqual(plainDecoder(Thing.ast)(written), notTaken)
    assert.notStrictEqual(plainDecoder(Written.ast)(thing), notTaken)
  })

  const agrees = <A, I>(schema: Schema.Codec<A, I>, valid: unknown) => {
    const decode = Schema.decodeUnknownEffect(schema)
    const directly = decodeDirectly(schema)
    return Effect.promise(() =>
      fc.assert(
        fc.asyncProperty(fc.oneof(fc.constant(valid), changed(valid)), async (input) => {
          assert.deepStrictEqual(await outcome(directly(input)), await outcome(decode(input)))
        }),
        { numRuns: 400 }
      )
    )
  }

  it.live("decodes and refuses as the library does", () => agrees(Thing, written))

  it.live("encodes and refuses as the library does", () => agrees(Written, thing))
})
