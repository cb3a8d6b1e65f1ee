import { type SharedPath, sharedPaths } from "../routing/routes.ts"
import type { Document, MediaType, Operation, Response } from "./openApiDocument.ts"
import { pathTemplate } from "./pathTemplate.ts"

const json = "application/json"

const invalidAction: Response = {
  description: "The body's `action` is missing or unknown",
  content: {
    [json]: {
      schema: {
        type: "object",
        required: ["status", "success", "message", "error"],
        properties: {
          status: { const: 400 },
          success: { const: false },
          message: { const: "Invalid request" },
          error: { const: "Invalid action" }
        }
      }
    }
  }
}

const alternatives = (schemas: ReadonlyArray<unknown>): unknown => {
  const different = [...new Map(schemas.map((schema) => [JSON.stringify(schema), schema])).values()]
  return different.length === 1 ? different[0] : { oneOf: different }
}

const mergeResponses = (responses: ReadonlyArray<Response>): Response => {
  const schemas = responses.flatMap(({ content }) => (content?.[json] === undefined ? [] : [content[json].schema]))
  return {
    description: [...new Set(responses.map(({ description }) => description))].join("; "),
    ...(schemas.length > 0 && { content: { [json]: { schema: alternatives(schemas) } } })
  }
}

const withAction = (action: string, body: MediaType | undefined): unknown => ({
  title: action,
  allOf: [
    { type: "object", required: ["action"], properties: { action: { const: action } } },
    ...(body === undefined ? [] : [body.schema])
  ]
})

/** The operations of one shared path as one operation whose body's `action` selects among them. */
const foldPath = (document: Document, { actions, endpoint }: SharedPath): Document => {
  const folded = [...actions].flatMap(([action, route]) => {
    const path = pathTemplate(route.endpoint.path)
    const operation = document.paths[path]?.["post"]
    return operation === undefined ? [] : [{ action, path, operation }]
  })
  const [first] = folded
  if (first === undefined) return document

  const statuses = new Map<string, Array<Response>>([["400", [invalidAction]]])
  for (const { operation } of folded) {
    for (const [status, response] of Object.entries(operation.responses ?? {})) {
      statuses.set(status, [...(statuses.get(status) ?? []), response])
    }
  }
  const operation: Operation = {
    operationId: endpoint.identifier,
    tags: [...new Set(folded.flatMap(({ operation: { tags = [] } }) => tags))],
    summary: "Several operations, selected by the body's action",
    description: folded
      .map(({ action, operation: { description = "" } }) => `**${action}**: ${description}`)
      .join("\n\n"),
    parameters: first.operation.parameters ?? [],
    requestBody: {
      required: true,
      content: {
        [json]: {
          schema: {
            type: "object",
            discriminator: { propertyName: "action" },
            oneOf: folded.map(({ action, operation: { requestBody } }) =>
              withAction(action, requestBody?.content[json])
            )
          }
        }
      }
    },
    responses: Object.fromEntries([...statuses].sort().map(([status, all]) => [status, mergeResponses(all)]))
  }
  const gone = new Set(folded.map(({ path }) => path))
  return {
    ...document,
    paths: {
      ...Object.fromEntries(Object.entries(document.paths).filter(([path]) => !gone.has(path))),
      [pathTemplate(endpoint.path)]: { post: operation }
    }
  }
}

/** Folds the operations that share a path back into it: callers know the path and the action, not our routes. */
export const foldActions = (document: Document, paths: ReadonlyArray<SharedPath> = sharedPaths): Document =>
  paths.reduce(foldPath, document)
