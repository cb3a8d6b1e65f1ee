import { endpoints } from "@care/domain/endpoints"
import { Action, quotaReached, rateLimited, sharedEndpoints, shownAnswers } from "@care/domain/http"
import { Context, Schema, SchemaAST } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/** An error of the partner API. `operations` is "any" for those that contracts need not list. */
export interface CatalogueEntry {
  /** The error's tag in capitals, as `care-error-code` has it. */
  readonly code: string
  readonly statuses: ReadonlyArray<number>
  /** The texts of the error that do not depend on the request. */
  readonly texts: ReadonlyArray<string>
  /** When it comes. */
  readonly reasons: ReadonlyArray<string>
  readonly operations: ReadonlyArray<string> | "any"
}

/** `CaseClosed`: `CASE_CLOSED` */
export const codeOf = (tag: string): string =>
  tag.replaceAll(/(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])/g, "_").toUpperCase()

// Returns the tags of the errors that a schema of an answer is made from.
const tagsOf = (ast: SchemaAST.AST): ReadonlyArray<string> => {
  if (SchemaAST.isUnion(ast)) return ast.types.flatMap(tagsOf)
  if (!SchemaAST.isDeclaration(ast)) return []
  const members = ast.typeParameters.flatMap((fields) => (SchemaAST.isObjects(fields) ? fields.propertySignatures : []))
  return members.flatMap(({ name, type }) =>
    name === "_tag" && SchemaAST.isLiteral(type) && type.literal !== "ErrorAnswer" ? [String(type.literal)] : []
  )
}

interface Answered {
  readonly operation: string | undefined
  readonly schema: Schema.Top
}

/** Returns how the catalogue names an operation: its method and path, and its action. */
export const operationName = (
  { method, path }: Pick<HttpApiEndpoint.Top, "method" | "path">,
  action?: string | undefined
): string => {
  const shown = action === undefined ? path : path.slice(0, -action.length - 1)
  const template = shown.replaceAll(/:(\w+)/g, "{$1}")
  return `${method} ${template}${action === undefined ? "" : ` ${action}`}`
}

const answered: ReadonlyArray<Answered> = [
  ...endpoints
    .filter(({ caller }) => caller === "partner" || caller === "link")
    .flatMap(({ annotations, endpoint }) => {
      const operation = operationName(endpoint, Context.get(annotations, Action))
      return Array.from(endpoint.error, (schema) => ({ operation, schema }))
    }),
  ...sharedEndpoints.flatMap((endpoint) =>
    Array.from(endpoint.error, (schema) => ({ operation: operationName(endpoint), schema }))
  ),
  ...[rateLimited, quotaReached].map((schema) => ({ operation: undefined, schema }))
]

const entryOf = (code: string, answers: ReadonlyArray<Answered>): CatalogueEntry => {
  const annotations = answers.map(({ schema }) => Schema.resolveAnnotations(schema))
  const shown = answers.flatMap(({ schema }) => shownAnswers({ error: new Set([schema]), success: new Set() }))
  const operations = answers.flatMap(({ operation }) => operation ?? [])
  return {
    code,
    statuses: [...new Set(annotations.flatMap((each) => each?.httpApiStatus ?? []))].sort(),
    texts: [...new Set(shown.map(({ text }) => text))].sort(),
    reasons: [...new Set(annotations.flatMap((each) => each?.description ?? []))].sort(),
    operations: operations.length < answers.length ? "any" : [...new Set(operations)].sort()
  }
}

const answersByCode = Map.groupBy(
  answered.flatMap((answer) => tagsOf(answer.schema.ast).map((tag) => ({ code: codeOf(tag), answer }))),
  ({ code }) => code
)

/** All errors of the partner API, by code, from the contracts. */
export const errorCatalogue: ReadonlyArray<CatalogueEntry> = [...answersByCode]
  .map(([code, found]) =>
    entryOf(
      code,
      found.map(({ answer }) => answer)
    )
  )
  .sort((one, other) => one.code.localeCompare(other.code))

/** The number of operations from which on an error is one of most operations. */
export const most = 20
