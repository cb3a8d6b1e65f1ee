import { encodeError, IdempotencyConflict, missingReason, RequestInvalid } from "@care/domain/http"
import { Predicate, Record } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import {
  type Document,
  type Examples,
  type MediaType,
  mapOperations,
  type OperationObject,
  type ResponseObject
} from "./openApiDocument.ts"
import { schemaExample } from "./schemaExample.ts"

type Schemas = NonNullable<NonNullable<Document["components"]>["schemas"]>

const isJson = (contentType: string): boolean => contentType === "application/json" || contentType.endsWith("+json")

const hasExample = ({ example, examples = {} }: MediaType): boolean =>
  example !== undefined || !Record.isEmptyRecord(examples)

const nameOf = (operation: OperationObject): string => operation.operationId?.split(".")[0] ?? ""

/** Adds an example to each JSON body that has none. */
const withRequest = (operation: OperationObject, schemas: Schemas): OperationObject => {
  const { requestBody } = operation
  if (requestBody === undefined) return operation
  const content = Record.map(requestBody.content, (media, contentType) =>
    hasExample(media) || !isJson(contentType)
      ? media
      : { ...media, example: schemaExample(media.schema, nameOf(operation), schemas) }
  )
  return { ...operation, requestBody: { ...requestBody, content } }
}

/** Returns the name of a parameter or a field of an operation, and the part of the request that it is in. */
const aFieldOf = ({ parameters = [], requestBody }: OperationObject, schemas: Schemas) => {
  const [media] = Object.values(requestBody?.content ?? {})
  const example =
    media?.example ?? Object.values(media?.examples ?? {})[0]?.value ?? schemaExample(media?.schema, "", schemas)
  const [field] = Predicate.isObject(example) ? Object.keys(example).filter((name) => name !== "action") : []
  if (field !== undefined) return { part: "payload", path: field } as const
  const inQuery = parameters.find((parameter) => Predicate.hasProperty(parameter, "in") && parameter.in === "query")
  return Predicate.hasProperty(inQuery, "name") && Predicate.isString(inQuery.name)
    ? ({ part: "query", path: inQuery.name } as const)
    : ({ part: "params", path: "id" } as const)
}

// Errors of many endpoints whose text depends on the request.
const commonErrors = (field: ReturnType<typeof aFieldOf>) => [
  new RequestInvalid({ ...field, reason: missingReason }),
  new IdempotencyConflict({ reason: "The idempotency key was used with another body." })
]

const exampleOfError = (
  status: string,
  { description }: ResponseObject,
  { schema }: MediaType,
  schemas: Schemas
): Examples => {
  const [text = ""] = description.split(" | ").map((each) => each.replaceAll("`", ""))
  const fixed = { status: Number(status), title: text, error: text, message: text, detail: text }
  return { [text]: { value: schemaExample(schema, "error", schemas, { fixed, isShort: true }) } }
}

const withResponses = (
  operation: OperationObject,
  endpoint: HttpApiEndpoint.Top,
  schemas: Schemas
): OperationObject => {
  const { responses } = operation
  if (responses === undefined) return operation
  const common = commonErrors(aFieldOf(operation, schemas)).flatMap((error) => encodeError(endpoint, error) ?? [])
  const exampleIn = (response: ResponseObject, status: string, contentType: string, media: MediaType): Examples => {
    const [error] = common.filter((each) => String(each.status) === status && each.contentType === contentType)
    if (error !== undefined) return { [response.description.split(" | ")[0] ?? ""]: { value: error.body } }
    return status < "400"
      ? {
          success: { value: schemaExample(media.schema, nameOf(operation), schemas) }
        }
      : exampleOfError(status, response, media, schemas)
  }
  return {
    ...operation,
    responses: Record.map(responses, (response, status) =>
      response.content === undefined
        ? response
        : {
            ...response,
            content: Record.map(response.content, (media, contentType) =>
              hasExample(media) || !isJson(contentType)
                ? media
                : { ...media, examples: exampleIn(response, status, contentType, media) }
            )
          }
    )
  }
}

/** Adds an example to each JSON body of requests and answers whose contract shows none, made from its schema. */
export const showExamples = (document: Document, endpoints: ReadonlyArray<HttpApiEndpoint.Top>): Document => {
  const schemas = document.components?.schemas ?? {}
  return mapOperations(document, endpoints, (operation, endpoint) => {
    const shown = withRequest(operation, schemas)
    return endpoint === undefined ? shown : withResponses(shown, endpoint, schemas)
  })
}
