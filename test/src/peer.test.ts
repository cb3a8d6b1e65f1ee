import { CaseDetail, CreateCase } from "@care/domain/cases"
import { assert, it } from "@effect/vitest"
import { Schema } from "effect"
import { caseDetailSchema } from "../bench/peer/caseDetailSchema.ts"
import { createCaseSchema } from "../bench/peer/createCaseSchema.ts"

/** The parts of a JSON schema that this test reads. */
interface Node {
  readonly $ref?: string
  readonly properties?: Readonly<Record<string, Node>>
  readonly items?: Node
  readonly anyOf?: ReadonlyArray<Node>
  readonly allOf?: ReadonlyArray<Node>
}
const Node: Schema.Codec<Node> = Schema.Struct({
  $ref: Schema.optionalKey(Schema.String),
  properties: Schema.optionalKey(
    Schema.Record(
      Schema.String,
      Schema.suspend(() => Node)
    )
  ),
  items: Schema.optionalKey(Schema.suspend(() => Node)),
  anyOf: Schema.optionalKey(Schema.Array(Schema.suspend(() => Node))),
  allOf: Schema.optionalKey(Schema.Array(Schema.suspend(() => Node)))
})
const decode = Schema.decodeUnknownSync(Node)

/** Returns the paths of the fields of a schema, such as `comments.author.id`. */
const pathsOf = (node: Node, named: (ref: string) => Node, path = ""): ReadonlyArray<string> => [
  ...(node.$ref === undefined ? [] : pathsOf(named(node.$ref), named, path)),
  ...Object.entries(node.properties ?? {}).flatMap(([name, field]) => [
    `${path}${name}`,
    ...pathsOf(field, named, `${path}${name}.`)
  ]),
  ...[node.items ?? {}, ...(node.anyOf ?? []), ...(node.allOf ?? [])]
    .filter((inner) => Object.keys(inner).length > 0)
    .flatMap((inner) => pathsOf(inner, named, path))
]

const ofContract = (contract: Schema.Top): ReadonlyArray<string> => {
  const { definitions, schema } = Schema.toJsonSchemaDocument(contract)
  return [...new Set(pathsOf(decode(schema), (ref) => decode(definitions[ref.slice(ref.lastIndexOf("/") + 1)])))]
}

const ofPeer = (schema: unknown) => pathsOf(decode(schema), assert.fail)

/** Asserts that the peer's schema has the fields of the contract, less those that begin with one of `left`. */
const assertSame = (contract: Schema.Top, peer: unknown, ignored: ReadonlyArray<string>) => {
  const isLeft = (path: string) => ignored.some((each) => path === each || path.startsWith(`${each}.`))
  const fields = ofContract(contract)
  assert.isAbove(fields.length, 40)
  for (const each of ignored) assert.include(fields, each)
  assert.sameMembers(
    fields.filter((path) => !isLeft(path)),
    [...ofPeer(peer)]
  )
}

it("the benchmark's peer takes the fields of case creation, but for payments, keys in the body and abandoned cases", () => {
  assertSame(CreateCase, createCaseSchema, ["status", "idempotencyKey", "payment"])
})

it("the benchmark's peer answers the fields of the case detail, but for what only comes when it is asked for", () => {
  assertSame(CaseDetail, caseDetailSchema.response[200].properties.caseDetail, [
    "attachments",
    "calendarEvents",
    "orders",
    ...["comments", "notes"].flatMap((list) => [`${list}.attachments.content`, `${list}.attachments.url`])
  ])
})
