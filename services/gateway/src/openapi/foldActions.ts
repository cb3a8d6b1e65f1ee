import { Record } from "effect"
import type { SharedPath } from "../routing/index.ts"
import {
  type Document,
  type Examples,
  type MediaType,
  type OperationObject,
  pathTemplate,
  type Reference,
  type ResponseObject,
  unique
} from "./openApiDocument.ts"
import { examplesOf } from "./showAnswers.ts"

const json = "application/json"

interface Folded {
  readonly action: string
  readonly path: string
  readonly operation: OperationObject
  readonly body: Reference
}

const invalidAction: ResponseObject = {
  description: "The body's `action` is missing or unknown",
  content: { [json]: { schema: { $ref: "#/components/schemas/InvalidRequestBody" } } }
}

const isReference = (schema: unknown): schema is Reference =>
  typeof schema === "object" && schema !== null && "$ref" in schema

const schemasOf = ({ schema }: MediaType): ReadonlyArray<unknown> =>
  typeof schema === "object" && schema !== null && "anyOf" in schema && Array.isArray(schema.anyOf)
    ? schema.anyOf
    : [schema]

// `anyOf`, because two operations of a path may have the same answer.
const mergeResponses = (responses: ReadonlyArray<ResponseObject>, examples: Examples): ResponseObject => {
  const alternatives = responses.flatMap(({ content }) =>
    content?.[json] === undefined ? [] : schemasOf(content[json])
  )
  const descriptions = new Set(responses.flatMap(({ description }) => description.split(" | ")))
  return {
    description: [...descriptions].join(" | "),
    ...(alternatives.length > 0 && {
      content: {
        [json]: { schema: { anyOf: alternatives }, ...(!Record.isEmptyRecord(examples) && { examples }) }
      }
    })
  }
}

// Names the example of an answer of the path itself by its text, and one of an operation by the action and the text.
const mergeExamples = (status: string, { endpoint }: SharedPath, folded: ReadonlyArray<Folded>): Examples => {
  const ofPath = examplesOf(endpoint, status, json)
  const isOfPath = ([text, example]: readonly [string, unknown]) =>
    JSON.stringify(ofPath[text]) === JSON.stringify(example)
  const ofActions = folded.flatMap(({ action, operation: { responses = {} } }) =>
    Object.entries(responses[status]?.content?.[json]?.examples ?? {})
      .filter((named) => !isOfPath(named))
      .map(([text, example]) => [`${action}: ${text}`, example])
  )
  return { ...ofPath, ...Object.fromEntries(ofActions) }
}

const operationOf = (document: Document, path: string, action: string): Folded => {
  const operation = document.paths[path]?.["post"]
  const body = operation?.requestBody?.content[json]?.schema
  if (operation === undefined || !isReference(body)) {
    throw new Error(`The body of ${action} needs an identifier: its name in the document`)
  }
  return { action, path, operation, body }
}

/** Merges the operations of a shared path into one, in which the body's `action` selects. */
const foldPath = (document: Document, sharedPath: SharedPath): Document => {
  const { actions, endpoint } = sharedPath
  const folded = Array.from(actions, ([action, route]) =>
    operationOf(document, pathTemplate(route.endpoint.path), action)
  )
  if (folded.length === 0) return document

  const statuses = new Map<string, Array<ResponseObject>>([["400", [invalidAction]]])
  for (const { operation } of folded) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      statuses.set(status, [...(statuses.get(status) ?? []), response])
    }
  }
  const operation: OperationObject = {
    operationId: endpoint.identifier,
    tags: [...new Set(folded.flatMap(({ operation: { tags = [] } }) => tags))],
    summary: folded.map(({ operation: { summary = "" } }) => summary).join("; "),
    description: folded
      .map(({ action, operation: { description = "" } }) => `**${action}**: ${description}`)
      .join("\n\n"),
    parameters: unique(folded.flatMap(({ operation: { parameters = [] } }) => parameters)),
    requestBody: {
      required: true,
      content: {
        [json]: {
          schema: {
            oneOf: folded.map(({ body }) => body),
            discriminator: {
              propertyName: "action",
              mapping: Object.fromEntries(folded.map(({ action, body }) => [action, body.$ref]))
            }
          },
          examples: Object.fromEntries(
            folded.flatMap(({ action, operation: { requestBody } }) => {
              const example = requestBody?.content[json]?.example
              return example === undefined ? [] : [[action, { value: example }]]
            })
          )
        }
      }
    },
    responses: Object.fromEntries(
      [...statuses]
        .sort()
        .map(([status, all]) => [status, mergeResponses(all, mergeExamples(status, sharedPath, folded))])
    )
  }
  const foldedPaths = new Set(folded.map(({ path }) => path))
  return {
    ...document,
    tags: unique(document.tags ?? []),
    paths: {
      ...Object.fromEntries(Object.entries(document.paths).filter(([path]) => !foldedPaths.has(path))),
      [pathTemplate(endpoint.path)]: { post: operation }
    }
  }
}

/** Merges the operations of each shared path: callers know the path and the action, not our internal routes. */
export const foldActions = (document: Document, paths: ReadonlyArray<SharedPath>): Document =>
  paths.reduce(foldPath, document)
