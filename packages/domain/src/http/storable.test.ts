import { assert, describe, it } from "@effect/vitest"
import { Exit, Predicate, Schema, SchemaAST } from "effect"
import * as fc from "fast-check"
import { endpoints } from "../endpoints.ts"
import { anyCharacter } from "../testing/anyCharacter.ts"
import { isStorable } from "./Text.ts"

// Each text of a request, whatever its form, accepts one of these.
const samples: ReadonlyArray<unknown> = [
  "text",
  "maria@example.com",
  "+14155552671",
  "1988-04-12",
  "2026-05",
  "2026-01-01T00:00:00.000Z",
  "3b241101-e2bb-4255-8caf-4136c566a962",
  "CA",
  "US",
  "94105",
  "en",
  "299.00",
  "10",
  "123456",
  "1234567893",
  "BCDF-GHJK",
  "https://example.com/image.png",
  "USD",
  "America/New_York",
  10,
  true,
  false,
  ["deep", { in: ["an", { answer: "text" }] }]
]

const read = (ast: SchemaAST.AST) =>
  Schema.decodeUnknownExit(Schema.toCodecJson(Schema.make<Schema.Codec<unknown>>(ast)))

/** Returns values that a schema is likely to accept: of the right shape, with each part valid by itself. */
const valuesOf = (ast: SchemaAST.AST): fc.Arbitrary<unknown> => {
  const [link] = ast._tag === "Objects" ? (ast.encoding ?? []) : []
  if (link !== undefined) return valuesOf(link.to)
  const { examples } = Schema.resolveAnnotations(Schema.make(ast)) ?? {}
  if (Array.isArray(examples)) return fc.constantFrom(...examples)
  if (ast._tag === "Objects") {
    assert.deepStrictEqual(ast.indexSignatures, [])
    const fields = ast.propertySignatures.map(({ name, type }) => [String(name), valuesOf(type)] as const)
    const required = ast.propertySignatures
      .filter(({ type }) => !SchemaAST.isOptional(type))
      .map(({ name }) => String(name))
    return fc.record(Object.fromEntries(fields), { requiredKeys: required })
  }
  const element = ast._tag === "Arrays" ? ast.rest[0] : ast._tag === "Declaration" ? ast.typeParameters[0] : undefined
  // A body with some relevant members only (`readingOnly`).
  if (element !== undefined && ast.annotations?.["expected"] === "an object") return valuesOf(element)
  if (element !== undefined) return fc.array(valuesOf(element), { minLength: 1, maxLength: 2 })
  if (ast._tag === "Suspend") return valuesOf(ast.thunk())
  if (ast._tag === "Union" && ast.encoding === undefined) {
    return fc.oneof(...ast.types.filter(({ _tag }) => _tag !== "Undefined" && _tag !== "Null").map(valuesOf))
  }
  const literals =
    ast._tag === "Literal"
      ? [ast.literal]
      : ast._tag === "Union"
        ? ast.types.flatMap((type) => (type._tag === "Literal" ? [type.literal] : []))
        : []
  const accepted = [...literals, ...samples].filter((sample) => Exit.isSuccess(read(ast)(sample)))
  return fc.constantFrom(...(accepted.length === 0 ? [undefined] : accepted))
}

const textsOf = (value: unknown): ReadonlyArray<string> => {
  if (Predicate.isString(value)) return [value]
  return Predicate.isObjectOrArray(value) && !(value instanceof Date)
    ? [...Object.keys(value), ...Object.values(value).flatMap(textsOf)]
    : []
}

const unstorable = fc
  .tuple(fc.string({ unit: anyCharacter }), fc.constantFrom("\0", "\ud800", "\udfff", "\udc00\ud800"), fc.string())
  .map((parts) => parts.join(""))

// Puts a text at the n-th possible place of a value: in place of a text, or as a key of an object.
const withTextAt = (value: unknown, text: string, place: number): unknown => {
  let remaining = place
  const plant = (part: unknown): unknown => {
    const isHere = remaining === 0 && (Predicate.isString(part) || Predicate.isObject(part))
    if (Predicate.isString(part) || Predicate.isObject(part)) remaining -= 1
    if (Predicate.isString(part)) return isHere ? text : part
    if (Array.isArray(part)) return part.map(plant)
    if (!Predicate.isObject(part)) return part
    const fields = Object.entries(part).map(([key, field]) => [key, plant(field)])
    return Object.fromEntries(isHere ? [...fields, [text, "text"]] : fields)
  }
  return plant(value)
}

const placesIn = (value: unknown): number =>
  Predicate.isString(value)
    ? 1
    : Predicate.isObjectOrArray(value)
      ? Object.values(value).reduce((sum: number, part) => sum + placesIn(part), Array.isArray(value) ? 0 : 1)
      : 0

describe("every value that decodes can be stored", () => {
  for (const { endpoint } of endpoints) {
    const inputs = [
      ...[...endpoint.payload.values()].flatMap(({ schemas }) => schemas),
      endpoint.params,
      endpoint.query,
      endpoint.headers
    ].filter((schema) => schema !== undefined)
    if (inputs.length === 0) continue

    it(`${endpoint.method} ${endpoint.path}`, () => {
      for (const { ast } of inputs) {
        let decoded = 0
        const decode = read(ast)
        const values = fc.property(valuesOf(ast), unstorable, (value, text) => {
          if (Exit.isSuccess(decode(value))) decoded += 1
          for (let place = 0; place < placesIn(value); place += 1) {
            const result = decode(withTextAt(value, text, place))
            if (Exit.isSuccess(result)) assert.isTrue(textsOf(result.value).every(isStorable))
          }
        })
        // Some inputs have many parts, so that few of the generated values decode.
        for (let round = 0; round < 30 && decoded === 0; round += 1) fc.assert(values, { numRuns: 30 })
        assert.isAbove(decoded, 0)
      }
    })
  }
})
