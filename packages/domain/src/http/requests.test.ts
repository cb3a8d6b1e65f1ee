import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaAST } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { endpoints } from "../endpoints.ts"
import { allMistakes } from "./annotations.ts"

const childrenOf = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  switch (ast._tag) {
    case "Objects":
      return [...ast.propertySignatures, ...ast.indexSignatures].map(({ type }) => type)
    case "Arrays":
      return [...ast.elements, ...ast.rest]
    case "Union":
      return ast.types
    case "Suspend":
      return [ast.thunk()]
    case "Declaration":
      return ast.typeParameters
    default:
      return []
  }
}

/** A schema and all schemas inside of it. */
const schemasIn = (root: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): void => {
    if (seen.has(ast)) return
    seen.add(ast)
    childrenOf(ast).forEach(visit)
  }
  visit(root)
  return [...seen]
}

const boundsOf = (number: SchemaAST.AST): string =>
  JSON.stringify(Schema.toJsonSchemaDocument(Schema.make(number)).schema)

const bodiesOf = (endpoint: HttpApiEndpoint.Top) =>
  [...endpoint.payload.values()].flatMap(({ schemas }) => schemas.map((payload) => Schema.toCodecJson(payload)))

const partsOf = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<SchemaAST.AST> =>
  [...bodiesOf(endpoint), endpoint.params, endpoint.query, endpoint.headers].flatMap((part) =>
    part === undefined ? [] : [part.ast]
  )

describe("requests", () => {
  it("have finite numbers within bounds, and refuse others whatever else is checked", () => {
    let seen = 0
    for (const { endpoint } of endpoints) {
      // As they are in JSON, and once decoded.
      const parts = partsOf(endpoint).flatMap((part) => [SchemaAST.toEncoded(part), SchemaAST.toType(part)])
      for (const number of parts.flatMap(schemasIn).filter(SchemaAST.isNumber)) {
        seen += 1
        const where = `${endpoint.method} ${endpoint.path}`
        const decode = Schema.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(number), allMistakes)
        for (const value of [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN]) {
          assert.isTrue(Result.isFailure(decode(value)), where)
        }
        assert.match(boundsOf(number), /"(exclusiveM|m)inimum":/, where)
        assert.match(boundsOf(number), /"(exclusiveM|m)aximum":/, where)
      }
    }
    assert.isAbove(seen, 20)
  })

  it("may have null in a body for every optional field, at any depth", () => {
    let members = 0
    for (const { caller, endpoint } of endpoints) {
      if (caller === "service" || endpoint.path.startsWith("/webhooks/")) continue
      const parts = bodiesOf(endpoint).flatMap(({ ast }) => schemasIn(SchemaAST.toEncoded(ast)))
      for (const { name, type } of parts.filter(SchemaAST.isObjects).flatMap((part) => part.propertySignatures)) {
        if (!SchemaAST.isOptional(type)) continue
        members += 1
        assert.isTrue(Schema.is(Schema.make(type))(null), `${endpoint.method} ${endpoint.path} ${String(name)}`)
      }
    }
    assert.isAbove(members, 100)
  })
})
