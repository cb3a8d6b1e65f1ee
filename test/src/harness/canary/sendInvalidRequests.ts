import { Effect, Predicate } from "effect"
import { type Contract, contracts } from "../../../operations/contracts.ts"
import { documentedPaths } from "../assertDocumented.ts"
import { type CallOptions, call } from "../call.ts"
import type { Clinic } from "../fixtures.ts"
import type { SentRequest } from "../fixturesOf.ts"
import type { AcceptedOperation } from "../sendMarkedRequests.ts"
import { containsMarker, healthMarker, organizationMarker, personMarkers, strayMarker } from "./markers.ts"

const acceptedMarkers = [healthMarker, organizationMarker, ...personMarkers]

// Returns a value that is refused: for a field that takes any text, one of another type.
const wrongTypeFor = (value: unknown): unknown => {
  if (typeof value === "string" && acceptedMarkers.some((mark) => containsMarker(value, mark)))
    return { [strayMarker]: strayMarker }
  return Predicate.isObject(value) ? [strayMarker] : strayMarker
}

/** Returns all values that differ from a value in one place, which is invalid. */
const corruptions = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) {
    return [wrongTypeFor(value), ...corruptions(value[0]).map((first) => [first, ...value.slice(1)])]
  }
  if (!Predicate.isObject(value)) return [wrongTypeFor(value)]
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    corruptions(inner).map((other) => ({ ...value, [key]: other }))
  )
  return [wrongTypeFor(value), { ...value, [strayMarker]: strayMarker }, ...inside]
}

const rawBodies = [
  `{"${strayMarker}`,
  `"${strayMarker}"`,
  `{"a":1,"a":"${strayMarker}"}`,
  `{"${strayMarker}":${"[".repeat(40)}`,
  `\u0000${strayMarker}`
]

/** Returns variants of an accepted request, each invalid in one place. */
const corruptedRequests = ({
  method,
  options: { body, ...options },
  path
}: SentRequest): ReadonlyArray<SentRequest> => {
  if (!Predicate.isObject(body)) return []
  // `action` stays, because it selects the operation. The idempotency key goes, because it would refuse any other body.
  const { "idempotency-key": _, ...headers } = options.headers ?? {}
  const actionField = "action" in body ? { action: body["action"] } : undefined
  const requestWith = (changes: CallOptions): SentRequest => ({
    method,
    path,
    options: { ...options, headers, ...changes }
  })
  return [
    ...corruptions(body).map((other) =>
      requestWith({
        body: Predicate.isObject(other) && actionField !== undefined ? { ...other, ...actionField } : other
      })
    ),
    ...rawBodies.map((raw) => requestWith({ raw })),
    requestWith({ body, headers: { ...headers, "content-type": `text/${strayMarker}` } }),
    requestWith({ body, headers: { ...headers, "idempotency-key": strayMarker.repeat(40) } })
  ]
}

/** Returns the query parameters of an operation from its document. */
const queryOf = ({ method, path }: Contract): ReadonlyArray<string> => {
  const template = path.replaceAll(/:(\w+)/g, "{$1}")
  const { parameters = [] } = documentedPaths[template]?.[method.toLowerCase()] ?? {}
  return parameters.flatMap((parameter) =>
    Predicate.hasProperty(parameter, "in") && parameter.in === "query" && Predicate.hasProperty(parameter, "name")
      ? [String(parameter.name)]
      : []
  )
}

const unknownId = "3b241101-e2bb-4255-8caf-4136c566a962"

/** Returns requests of an operation with invalid ids, query parameters or credentials. */
const misaddressedRequests = (operation: Contract, credentials: CallOptions): ReadonlyArray<SentRequest> => {
  const { action, method } = operation
  const options = { ...credentials, ...(method !== "GET" && { body: { action, [strayMarker]: strayMarker } }) }
  const pathWith = (id: string) => operation.path.replaceAll(/:\w+/g, id)
  return [
    { method, path: pathWith(strayMarker), options },
    { method, path: pathWith(unknownId), options },
    ...queryOf(operation).map((name) => ({ method, path: `${pathWith(unknownId)}?${name}=${strayMarker}`, options })),
    { method, path: `${pathWith(unknownId)}?${strayMarker}=${strayMarker}`, options },
    { method, path: pathWith(unknownId), options: { ...options, key: strayMarker, isOperator: false } },
    {
      method,
      path: pathWith(unknownId),
      options: { ...options, headers: { authorization: `Bearer ${strayMarker}` }, isOperator: false }
    }
  ]
}

const sizeOf = ({ sentRequest: sent }: AcceptedOperation): number => JSON.stringify(sent).length

/** Sends invalid requests of every operation, with a marker in each field. Returns the refusals with their bodies. */
export const sendInvalidRequests = Effect.fnUntraced(function* (
  acceptedOperations: ReadonlyArray<AcceptedOperation>,
  { key }: Clinic
) {
  const requests = contracts.flatMap((contract) => {
    const [accepted] = acceptedOperations
      .filter((operation) => operation.contract === contract)
      .sort((operation, other) => sizeOf(other) - sizeOf(operation))
    const credentials = contract.caller === "operator" ? { isOperator: true } : { key }
    return [
      ...misaddressedRequests(contract, credentials),
      ...(accepted === undefined ? [] : corruptedRequests(accepted.sentRequest))
    ].map((request) => ({ id: contract.id, request }))
  })
  const answers = yield* Effect.forEach(
    requests,
    ({ id, request: { method, options, path } }) =>
      Effect.map(call(method, path, options), ({ json, status }) => ({ id, status, body: JSON.stringify(json ?? "") })),
    { concurrency: 8 }
  )
  return answers.filter(({ status }) => status >= 400)
})
