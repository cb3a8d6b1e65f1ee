import { publicDocument } from "@care/gateway/openapi"
import { Effect, Predicate } from "effect"
import { type Contract, contracts } from "../../../operations/contracts.ts"
import { type CallOptions, call } from "../call.ts"
import type { Clinic } from "../fixtures.ts"
import type { Sent } from "../fixturesOf.ts"
import type { Asked } from "../tellAll.ts"
import { health, isIn, names, own, stray } from "./markers.ts"

const told = [health, own, ...names]

// Where any text is taken, something of another type is refused.
const instead = (value: unknown): unknown => {
  if (typeof value === "string" && told.some((mark) => isIn(value, mark))) return { [stray]: stray }
  return Predicate.isObject(value) ? [stray] : stray
}

/** Each value that comes of putting what does not belong there into one place of a value. */
const spoiled = (value: unknown): ReadonlyArray<unknown> => {
  if (Array.isArray(value)) {
    return [instead(value), ...spoiled(value[0]).map((first) => [first, ...value.slice(1)])]
  }
  if (!Predicate.isObject(value)) return [instead(value)]
  const inside = Object.entries(value).flatMap(([key, inner]) =>
    spoiled(inner).map((other) => ({ ...value, [key]: other }))
  )
  return [instead(value), { ...value, [stray]: stray }, ...inside]
}

const raws = [`{"${stray}`, `"${stray}"`, `{"a":1,"a":"${stray}"}`, `{"${stray}":${"[".repeat(40)}`, `\u0000${stray}`]

/** An operation as it was accepted, with one thing after the other as it should not be. */
const spoiledRequests = ({ method, options: { body, ...options }, path }: Sent): ReadonlyArray<Sent> => {
  if (!Predicate.isObject(body)) return []
  // What `action` says leads to the operation. With its key, another body would be refused for that.
  const { "idempotency-key": _, ...headers } = options.headers ?? {}
  const kept = "action" in body ? { action: body["action"] } : undefined
  const as = (changes: CallOptions): Sent => ({ method, path, options: { ...options, headers, ...changes } })
  return [
    ...spoiled(body).map((other) =>
      as({ body: Predicate.isObject(other) && kept !== undefined ? { ...other, ...kept } : other })
    ),
    ...raws.map((raw) => as({ raw })),
    as({ body, headers: { ...headers, "content-type": `text/${stray}` } }),
    as({ body, headers: { ...headers, "idempotency-key": stray.repeat(40) } })
  ]
}

/** The parameters of an operation's query, by the public document. */
const queryOf = ({ method, path }: Contract): ReadonlyArray<string> => {
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
const strangeRequests = (operation: Contract, credentials: CallOptions): ReadonlyArray<Sent> => {
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

const sizeOf = ({ sent }: Asked): number => JSON.stringify(sent).length

/**
 * Every operation of the contracts as nobody should ask for it, with a marker in each of its fields: what was refused, with
 * what was said.
 */
export const misuse = Effect.fnUntraced(function* (asked: ReadonlyArray<Asked>, { key }: Clinic) {
  const requests = contracts.flatMap((contract) => {
    const [accepted] = asked
      .filter((one) => one.contract === contract)
      .sort((one, other) => sizeOf(other) - sizeOf(one))
    const credentials = contract.caller === "operator" ? { isOperator: true } : { key }
    return [
      ...strangeRequests(contract, credentials),
      ...(accepted === undefined ? [] : spoiledRequests(accepted.sent))
    ].map((request) => ({ id: contract.id, request }))
  })
  const answers = yield* Effect.forEach(
    requests,
    ({ id, request: { method, options, path } }) =>
      Effect.map(call(method, path, options), ({ json, status }) => ({ id, status, said: JSON.stringify(json ?? "") })),
    { concurrency: 8 }
  )
  return answers.filter(({ status }) => status >= 400)
})
