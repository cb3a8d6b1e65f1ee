import { publicDocument } from "@care/gateway/openapi"
import { Effect, Predicate } from "effect"
import { type CallOptions, call, type Exchange } from "../call.ts"
import type { Clinic } from "../fixtures.ts"
import type { Operation } from "../operations.ts"
import { stray } from "./markers.ts"

const wrong: ReadonlyArray<unknown> = [stray, { [stray]: stray }, [stray]]

/** Each value that comes of putting what does not belong there into one place of a value. */
export const spoiled = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) {
    return [...wrong, ...spoiled(value[0]).map((first) => [first, ...value.slice(1)])]
  }
  if (!Predicate.isObject(value)) return wrong
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    spoiled(inner).map((other) => ({ ...value, [key]: other }))
  )
  return [...wrong, { ...value, [stray]: stray }, ...inside]
}

const raws = [`{"${stray}`, `"${stray}"`, `{"a":1,"a":"${stray}"}`, `{"${stray}":${"[".repeat(40)}`, `\u0000${stray}`]

interface Request {
  readonly method: string
  readonly path: string
  readonly options: CallOptions
}

const withBody = ({ body, raw, ...options }: CallOptions, other: unknown): CallOptions => ({ ...options, body: other })

/** An operation as it was accepted, with one thing after the other as it should not be. */
const spoiledRequests = ({ method, options, path }: Exchange): ReadonlyArray<Request> => {
  const body = options.raw === undefined ? options.body : JSON.parse(options.raw)
  if (body === undefined) return []
  const { action } = body
  return [
    // What `action` says leads to the operation.
    ...spoiled(body)
      .map((other) => (Predicate.isObject(other) && action !== undefined ? { ...other, action } : other))
      .map((other) => ({ method, path, options: withBody(options, other) })),
    ...raws.map((raw) => ({ method, path, options: { ...options, body: undefined, raw } })),
    { method, path, options: { ...options, headers: { ...options.headers, "content-type": `text/${stray}` } } },
    { method, path, options: { ...options, headers: { ...options.headers, "idempotency-key": stray.repeat(40) } } }
  ]
}

/** The parameters of an operation's query, by the public document. */
const queryOf = ({ method, path }: Operation): ReadonlyArray<string> => {
  const template = path.replaceAll(/:(\w+)/g, "{$1}")
  const { parameters = [] } = publicDocument.paths[template]?.[method.toLowerCase()] ?? {}
  return parameters.flatMap((parameter) =>
    Predicate.hasProperty(parameter, "in") && parameter.in === "query" && Predicate.hasProperty(parameter, "name")
      ? [String(parameter.name)]
      : []
  )
}

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"

/** An operation with what does not belong there in its path, in its query, and as who asks for it. */
const strangeRequests = (operation: Operation, credentials: CallOptions): ReadonlyArray<Request> => {
  const { action, method } = operation
  const options = { ...credentials, ...(method !== "GET" && { body: { action, [stray]: stray } }) }
  const at = (id: string) => operation.path.replaceAll(/:\w+/g, id)
  return [
    { method, path: at(stray), options },
    { method, path: at(unknownId), options },
    ...queryOf(operation).map((name) => ({ method, path: `${at(unknownId)}?${name}=${stray}`, options })),
    { method, path: `${at(unknownId)}?${stray}=${stray}`, options },
    { method, path: at(unknownId), options: { ...options, key: stray, isOperator: false } },
    {
      method,
      path: at(unknownId),
      options: { ...options, headers: { authorization: `Bearer ${stray}` }, isOperator: false }
    }
  ]
}

/**
 * Every operation of the contracts as nobody should ask for it, with a marker in each of its fields: what was refused, with
 * what was said.
 */
export const misuse = Effect.fnUntraced(function* (
  operations: ReadonlyArray<Operation>,
  accepted: ReadonlyMap<string, Exchange>,
  { key }: Clinic
) {
  const requests = operations.flatMap((operation) => {
    const exchange = accepted.get(operation.id)
    const credentials = operation.path.startsWith("/admin") ? { isOperator: true } : { key }
    const all = [
      ...strangeRequests(operation, credentials),
      ...(exchange === undefined ? [] : spoiledRequests(exchange))
    ]
    return all.map((request) => ({ id: operation.id, request }))
  })
  const answers = yield* Effect.forEach(
    requests,
    ({ id, request: { method, options, path } }) =>
      Effect.map(call(method, path, options), ({ json, status }) => ({ id, status, said: JSON.stringify(json ?? "") })),
    { concurrency: 8 }
  )
  return answers.filter(({ status }) => status >= 400)
})
