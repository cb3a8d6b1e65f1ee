import { CaseDetail, ReadCase } from "@care/domain/cases"
import { plainly } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema, SchemaAST } from "effect"
import * as fc from "fast-check"
import { writeCase } from "./writeCase.ts"

const texts = fc.oneof(fc.string({ unit: "grapheme" }), fc.uuid(), fc.constantFrom("maria@example.com", "+14155552671"))

/** Values of what details consist of, before their checks. */
const valuesOf = (ast: SchemaAST.AST): fc.Arbitrary<unknown> => {
  switch (ast._tag) {
    case "Objects": {
      const members = ast.propertySignatures.map(({ name, type }) => [String(name), valuesOf(type)] as const)
      const required = ast.propertySignatures.filter(({ type }) => !SchemaAST.isOptional(type))
      return fc.record(Object.fromEntries(members), { requiredKeys: required.map(({ name }) => String(name)) })
    }
    case "Arrays":
      return fc.array(fc.oneof(...ast.rest.map(valuesOf)), { maxLength: 3 })
    case "Union":
      return fc.oneof(...ast.types.map(valuesOf))
    case "Literal":
      return fc.constant(ast.literal)
    case "Null":
      return fc.constant(null)
    case "Boolean":
      return fc.boolean()
    case "Number":
      return fc.nat()
    case "Declaration":
      return fc.date({ min: new Date("0001-01-02"), max: new Date("9999-12-30"), noInvalidDate: true })
    default:
      return texts.filter(Schema.is(Schema.make(ast)))
  }
}

it.effect("a detail is written as its contract encodes it, byte for byte, with the schema and without", () =>
  Effect.gen(function* () {
    const encode = Schema.encodeSync(Schema.toCodecJson(ReadCase))
    const Detail = Schema.toType(CaseDetail)
    const details = fc.sample(valuesOf(Detail.ast), 200).map((value) => Schema.decodeUnknownSync(Detail)(value))
    const written = details.map((caseDetail) => JSON.stringify(encode({ caseDetail })))
    const write = Effect.sync(() => details.map(writeCase))
    assert.deepStrictEqual(yield* write, written)
    assert.deepStrictEqual(yield* plainly("writing", write), written)
    // Only the schema leaves out what the contract does not have.
    const more = Effect.sync(() => details.map((detail) => writeCase({ ...detail, ...{ more: 1 } })))
    assert.notDeepEqual(yield* more, written)
    assert.deepStrictEqual(yield* plainly("writing", more), written)
  })
)
