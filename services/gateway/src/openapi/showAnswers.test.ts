import { shownAnswers } from "@care/domain/http"
import { assert, describe, it } from "@effect/vitest"
import { Schema, SchemaAST } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { plainEndpoints, sharedPaths } from "../routing/routes.ts"
import { type Examples, pathTemplate } from "./openApiDocument.ts"
import { adminDocument, publicDocument } from "./publicDocument.ts"

const paths = { ...publicDocument.paths, ...adminDocument.paths }

const examplesAt = ({ method, path }: HttpApiEndpoint.Top, status: number, contentType: string): Examples =>
  paths[pathTemplate(path)]?.[method.toLowerCase()]?.responses?.[status]?.content?.[contentType]?.examples ?? {}

const bodiesOf = (examples: Examples): ReadonlyArray<unknown> => Object.values(examples).map(({ value }) => value)

const actionsOf = sharedPaths.flatMap(({ actions, endpoint }) =>
  Array.from(actions, ([action, route]) => ({ action, shared: endpoint, own: route.endpoint }))
)

const own = [...plainEndpoints.map(({ endpoint }) => endpoint), ...actionsOf.map(({ own: endpoint }) => endpoint)]

const errors = own.flatMap((endpoint) => [...endpoint.error])

// Texts of one case of an error alone.
const textsOfCases = [
  "Secret key not provided!",
  "Partner organization is disabled",
  "Case product is already closed",
  "Due date can only be updated for an open case product",
  "dueDate and status cannot be updated in the same request",
  "start_date and end_date are required without user_email",
  "start_date and end_date must be given together",
  "start_date must be on or before end_date",
  "The scheduling provider refused the request",
  "Shipping address line 1 must be provided",
  "The 'caseId' param is required",
  "Case closed successfully",
  "Phone number already exists"
]

// An error without fields always has the same text. The other type of the schema is what clients read.
const isConstant = ({ ast }: Schema.Top): boolean => {
  const [error] = SchemaAST.isUnion(ast) ? ast.types : []
  return (
    error !== undefined &&
    SchemaAST.isDeclaration(error) &&
    error.typeParameters.some((fields) => SchemaAST.isObjects(fields) && fields.propertySignatures.length === 1)
  )
}

describe("the answers that the documents show", () => {
  it("are those of each contract, with their whole bodies", () => {
    for (const { endpoint } of [...plainEndpoints, ...sharedPaths]) {
      for (const { body, contentType, status } of shownAnswers(endpoint)) {
        assert.deepInclude(bodiesOf(examplesAt(endpoint, status, contentType)), body, endpoint.path)
      }
    }
  })

  it("are named by the action on a path that several share, unless the path answers so whatever the action is", () => {
    assert.isNotEmpty(actionsOf)
    for (const { action, own: endpoint, shared } of actionsOf) {
      for (const { body, contentType, status, text } of shownAnswers(endpoint)) {
        const { [text]: ofPath, [`${action}: ${text}`]: ofAction } = examplesAt(shared, status, contentType)
        assert.deepStrictEqual((ofAction ?? ofPath)?.value, body, `${action}: ${text}`)
      }
    }
    const closed = { status: 400, success: false, message: "Invalid request", error: "Case has been closed" }
    const [cases] = sharedPaths
    const examples = examplesAt(cases?.endpoint ?? assert.fail(), 400, "application/json")
    for (const action of ["CHANGE_CASE_STATUS", "PLACE_ORDER"]) {
      assert.deepStrictEqual(examples[`${action}: Case has been closed`], { value: closed })
    }
    assert.containsAllKeys(examples, ["Invalid action", "CHANGE_CASE_STATUS: Invalid status value"])
  })

  it("have every text that is always the same, of errors and of successes", () => {
    const shown = new Set(own.flatMap((endpoint) => shownAnswers(endpoint).map(({ text }) => text)))
    const descriptions = errors.map((schema) => Schema.resolveAnnotations(schema)?.description ?? "")
    const constant = errors.filter(isConstant)
    assert.isAbove(constant.length, 100)
    for (const schema of constant) {
      assert.isNotEmpty(
        shownAnswers({ error: new Set([schema]), success: new Set() }),
        descriptions[errors.indexOf(schema)]
      )
    }
    // A description begins with the error's text: the constant one, or the one of a single mistake.
    const quoted = descriptions.flatMap((text) => Array.from(text.matchAll(/^`([^`<]+)`/g), ([, text]) => text))
    assert.includeMembers(quoted, ["Case has been closed", "Invalid status value", "id must be a valid UUID"])
    const messages = JSON.stringify([publicDocument, adminDocument]).matchAll(/"message":\{[^{}]*"const":"([^"]+)"/g)
    const texts = Array.from(messages, ([, text]) => text)
    assert.includeMembers(texts, ["Case product updated successfully", "User does not exist"])
    assert.includeMembers<unknown>([...shown], [...quoted, ...texts])
    assert.includeMembers([...shown], textsOfCases)
  })
})
