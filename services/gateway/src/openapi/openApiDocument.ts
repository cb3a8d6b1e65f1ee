import { Record } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/** The parts of an OpenAPI document that the gateway reads or changes. */
export interface OperationObject {
  readonly operationId?: string
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
  readonly parameters?: ReadonlyArray<unknown>
  readonly security?: ReadonlyArray<Readonly<Record<string, ReadonlyArray<string>>>>
  readonly requestBody?: { readonly required?: boolean; readonly content: Readonly<Record<string, MediaType>> }
  readonly responses?: Readonly<Record<string, ResponseObject>>
}

export interface MediaType {
  readonly schema: unknown
  readonly example?: unknown
  readonly examples?: Examples
}

/** Examples by name. */
export type Examples = Readonly<Record<string, { readonly value: unknown }>>

/** A reference to a component. */
export interface Reference {
  readonly $ref: string
}

export interface ResponseObject {
  readonly description: string
  readonly headers?: Readonly<Record<string, unknown>>
  readonly content?: Readonly<Record<string, MediaType>>
}

/**
 * A document: its operations by path and by method in lower case. `tags` are its groups, `webhooks` its webhooks by
 * name.
 */
export interface Document {
  readonly info?: { readonly description?: string }
  readonly tags?: ReadonlyArray<{ readonly name: string; readonly description?: string }>
  readonly components?: {
    readonly schemas?: Readonly<Record<string, unknown>>
    readonly securitySchemes?: Readonly<Record<string, unknown>>
  }
  readonly paths: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, OperationObject>>>>
}

/** Returns the values without those whose JSON occurred before. */
export const unique = <Value>(values: ReadonlyArray<Value>): ReadonlyArray<Value> => [
  ...new Map(values.map((value) => [JSON.stringify(value), value])).values()
]

/** Returns a contract's path (`/api/v1/cases/:caseId`) as an OpenAPI path (`/api/v1/cases/{caseId}`). */
export const pathTemplate = (path: string): string => path.replace(/:([A-Za-z]+)/g, "{$1}")

/** Changes each operation of a document, with its endpoint, if it is one of these. */
export const mapOperations = (
  document: Document,
  endpoints: ReadonlyArray<HttpApiEndpoint.Top>,
  change: (operation: OperationObject, endpoint: HttpApiEndpoint.Top | undefined) => OperationObject
): Document => {
  const endpointAt = new Map(
    endpoints.map((endpoint) => [`${endpoint.method.toLowerCase()} ${pathTemplate(endpoint.path)}`, endpoint])
  )
  return {
    ...document,
    paths: Record.map(document.paths, (item, path) =>
      Record.map(item, (operation, method) => change(operation, endpointAt.get(`${method} ${path}`)))
    )
  }
}
