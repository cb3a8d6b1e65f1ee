import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaAST } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { endpoints } from "../endpoints.ts"
import { allMistakes } from "./annotations.ts"

// What a request consists of: the schemas of its texts, and of what is no text, list, object, number or boolean.
const leavesOf = (root: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
    if (seen.has(ast)) return []
    seen.add(ast)
    switch (ast._tag) {
      case "Objects":
        assert.deepStrictEqual(ast.indexSignatures, [])
        return ast.propertySignatures.flatMap(({ type }) => visit(type))
      case "Arrays":
        return [...ast.elements, ...ast.rest].flatMap(visit)
      case "Union":
        return ast.types.flatMap(visit)
      case "Suspend":
        return visit(ast.thunk())
      case "Declaration":
        return ast.typeParameters.length > 0 ? ast.typeParameters.flatMap(visit) : [ast]
      case "Literal":
      case "Number":
      case "Boolean":
      case "Null":
      case "Undefined":
        return []
      default:
        return [ast]
    }
  }
  return visit(SchemaAST.toEncoded(root))
}

const membersOf = (root: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> => {
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.PropertySignature> => {
    if (seen.has(ast)) return []
    seen.add(ast)
    switch (ast._tag) {
      case "Objects":
        return ast.propertySignatures.flatMap((member) => [member, ...visit(member.type)])
      case "Arrays":
        return [...ast.elements, ...ast.rest].flatMap(visit)
      case "Declaration":
        return ast.typeParameters.flatMap(visit)
      case "Union":
        return ast.types.flatMap(visit)
      case "Suspend":
        return visit(ast.thunk())
      default:
        return []
    }
  }
  return visit(SchemaAST.toEncoded(root))
}

// The schemas of the numbers that a request consists of: as they are on the wire, and as they are once decoded.
const numbersIn = (root: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
  const seen = new Set<SchemaAST.AST>()
  const visit = (ast: SchemaAST.AST): ReadonlyArray<SchemaAST.AST> => {
    if (seen.has(ast)) return []
    seen.add(ast)
    switch (ast._tag) {
      case "Number":
        return [ast]
      case "Objects":
        return [...ast.propertySignatures, ...ast.indexSignatures].flatMap(({ type }) => visit(type))
      case "Arrays":
        return [...ast.elements, ...ast.rest].flatMap(visit)
      case "Union":
        return ast.types.flatMap(visit)
      case "Suspend":
        return visit(ast.thunk())
      case "Declaration":
        return ast.typeParameters.flatMap(visit)
      default:
        return []
    }
  }
  return [...visit(SchemaAST.toEncoded(root)), ...visit(SchemaAST.toType(root))]
}

const boundsOf = (number: SchemaAST.AST): string =>
  JSON.stringify(Schema.toJsonSchemaDocument(Schema.make(number)).schema)

const bodiesOf = (endpoint: HttpApiEndpoint.Top) =>
  [...endpoint.payload.values()].flatMap(({ schemas }) => schemas.map((payload) => Schema.toCodecJson(payload)))

const requestLeaves = (endpoint: HttpApiEndpoint.Top): ReadonlyArray<SchemaAST.AST> =>
  [...bodiesOf(endpoint), endpoint.params, endpoint.query, endpoint.headers].flatMap((schema) =>
    schema === undefined ? [] : leavesOf(schema.ast)
  )

describe("requests", () => {
  it("consist of texts that PostgreSQL can store, at any depth", () => {
    let texts = 0
    for (const { endpoint } of endpoints) {
      // What a server signed, it cannot say in another way: what it becomes can be stored (`storable.test.ts`).
      if (endpoint.path.startsWith("/webhooks/")) continue
      for (const leaf of requestLeaves(endpoint)) {
        texts += 1
        const isTaken = Schema.is(Schema.make(leaf))
        for (const text of ["\u0000", "a\u0000b", "\ud800", "a\udc00b"]) {
          assert.isFalse(isTaken(text), `${endpoint.method} ${endpoint.path}`)
        }
      }
    }
    assert.isAbove(texts, 100)
  })

  it("have numbers that are finite and within bounds, and refuse others whatever else is checked", () => {
    let seen = 0
    for (const { endpoint } of endpoints) {
      const parts = [...bodiesOf(endpoint), endpoint.params, endpoint.query, endpoint.headers]
      for (const number of parts.flatMap((part) => (part === undefined ? [] : numbersIn(part.ast)))) {
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

  it("may say null in a body for what may be left out, at any depth", () => {
    let members = 0
    for (const { caller, endpoint } of endpoints) {
      if (caller === "service" || endpoint.path.startsWith("/webhooks/")) continue
      for (const { name, type } of bodiesOf(endpoint).flatMap((body) => membersOf(body.ast))) {
        if (!SchemaAST.isOptional(type)) continue
        members += 1
        assert.isTrue(Schema.is(Schema.make(type))(null), `${endpoint.method} ${endpoint.path} ${String(name)}`)
      }
    }
    assert.isAbove(members, 100)
  })
})
