import { assert, describe, it } from "@effect/vitest"
import { Result, Schema, SchemaAST, SchemaParser } from "effect"
import { endpoints } from "../endpoints.ts"
import { allMistakes } from "./annotations.ts"
import { mistakesIn } from "./mistakesIn.ts"

type Path = ReadonlyArray<string | number>

// Returns the paths of all values of a request, at any depth. The first element of a list stands for all.
const pathsOf = (root: SchemaAST.AST): ReadonlyArray<Path> => {
  const visit = (ast: SchemaAST.AST, path: Path): ReadonlyArray<Path> => {
    switch (ast._tag) {
      case "Objects":
        return [path, ...ast.propertySignatures.flatMap(({ name, type }) => visit(type, [...path, String(name)]))]
      case "Arrays":
        return [path, ...[...ast.elements, ...ast.rest].flatMap((element) => visit(element, [...path, 0]))]
      case "Declaration":
        return ast.annotations?.["expected"] === "an object"
          ? ast.typeParameters.flatMap((body) => visit(body, path))
          : [path, ...ast.typeParameters.flatMap((element) => visit(element, [...path, 0]))]
      case "Union":
        return ast.types.flatMap((type) => visit(type, path))
      default:
        return [path]
    }
  }
  return visit(SchemaAST.toEncoded(root), [])
}

const bodyWith = (value: unknown, [first, ...rest]: Path): unknown => {
  if (first === undefined) return value
  const inner = bodyWith(value, rest)
  return typeof first === "number" ? [inner] : { [first]: inner }
}

const marker = "MARKER"
const long = marker.repeat(200)
const badValues: ReadonlyArray<unknown> = [
  null,
  true,
  -1,
  1.00001,
  Number.POSITIVE_INFINITY,
  "",
  " ",
  marker,
  long,
  "\u0000",
  "0000-13-32",
  "+1",
  "a@b",
  [],
  [marker],
  new Array(1000).fill(marker),
  {},
  { [marker]: marker }
]

// The forms of sentences. The specification has its own for escalations, which name a title and unknown keys.
const sentence =
  /^(Required( for \w+)?|(must|must not) (be|have|contain|name|fit|say) [^|]+|At (least one|most \d+) [a-z ]+ (is|are) (required|possible)|exactly one of \w+ and \w+ is required|\w+ or (\w+|another field) is required|Invalid type\. Must be one of: .+|Unrecognized key\(s\) in object: \w+|must be empty.*)$/
const jargon = /Expected|undefined|Infinity|NaN|\bstring\b|\bboolean\b|\bgot\b|\||\.$|effect|Schema/

describe("the sentences of mistakes", () => {
  it("have the documented forms for every field of every request, and quote no sent value", () => {
    const sentences = new Map<string, string>()
    for (const { caller, endpoint } of endpoints) {
      if (caller === "service") continue
      const bodies = [...endpoint.payload.values()].flatMap(({ schemas }) =>
        schemas.map((schema) => Schema.toCodecJson(schema))
      )
      for (const part of [...bodies, endpoint.params, endpoint.query, endpoint.headers]) {
        if (part === undefined) continue
        const read = SchemaParser.decodeUnknownResult(Schema.make<Schema.Codec<unknown>>(part.ast))
        for (const path of pathsOf(part.ast)) {
          for (const value of badValues) {
            const result = read(bodyWith(value, path), allMistakes)
            if (Result.isSuccess(result)) continue
            for (const { path: at, reason } of mistakesIn(result.failure)) {
              sentences.set(reason, `${endpoint.method} ${endpoint.path} ${at}: ${reason}`)
            }
          }
        }
      }
    }
    assert.isAbove(sentences.size, 40)
    for (const [reason, where] of sentences) {
      assert.match(reason, sentence, where)
      assert.notMatch(reason, jargon, where)
      if (!reason.startsWith("Unrecognized key")) assert.notInclude(reason, marker, where)
    }
    assert.property(Object.fromEntries(sentences), "must be one of MALE, FEMALE, OTHER")
    assert.property(Object.fromEntries(sentences), "must be a text")
  })
})
