import { shownAnswers } from "@care/domain/http"
import { Record } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { type Document, type Examples, mapOperations, type ResponseObject } from "./openApiDocument.ts"

/** Returns the examples of an endpoint's answers with a status and content type, by their text. */
export const examplesOf = (endpoint: HttpApiEndpoint.Top, status: string, contentType: string): Examples =>
  Object.fromEntries(
    shownAnswers(endpoint)
      .filter((shown) => String(shown.status) === status && shown.contentType === contentType)
      .map(({ body, text }) => [text, { value: body }])
  )

const withExamples = (response: ResponseObject, status: string, endpoint: HttpApiEndpoint.Top): ResponseObject => {
  if (response.content === undefined) return response
  const content = Record.map(response.content, (media, contentType) => {
    const examples = examplesOf(endpoint, status, contentType)
    return Record.isEmptyRecord(examples) ? media : { ...media, examples }
  })
  return { ...response, content }
}

/** Adds the example answers of the endpoints' contracts to their responses. */
export const showAnswers = (document: Document, endpoints: ReadonlyArray<HttpApiEndpoint.Top>): Document =>
  mapOperations(document, endpoints, (operation, endpoint) => {
    const { responses } = operation
    if (endpoint === undefined || responses === undefined) return operation
    return {
      ...operation,
      responses: Record.map(responses, (response, status) => withExamples(response, status, endpoint))
    }
  })
