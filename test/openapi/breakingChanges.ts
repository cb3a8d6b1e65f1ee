import { Predicate } from "effect"
import { compareSchemas, type Direction } from "./compareSchemas.ts"
import { arrayIn, type Json, type OpenApi, objectIn, resolved } from "./OpenApi.ts"

/** A change after which a caller's code may fail. `operation` is its method and path, or the webhook's type. */
export interface BreakingChange {
  readonly operation: string
  readonly says: string
}

const compareContent = (direction: Direction, before: Json, after: Json, documents: Documents): ReadonlyArray<string> =>
  Object.entries(objectIn(before, "content")).flatMap(([type, media]) => {
    const next = objectIn(after, "content")[type]
    if (!Predicate.isObject(next)) return [`${type} is gone`]
    return compareSchemas(direction, objectIn(media, "schema"), objectIn(next, "schema"), documents)
  })

interface Documents {
  readonly before: OpenApi
  readonly after: OpenApi
}

const parametersOf = (document: OpenApi, operation: Json): ReadonlyMap<string, Json> =>
  new Map(
    arrayIn(operation, "parameters").map((parameter) => {
      const found = resolved(document, parameter)
      return [`${found["in"]} ${found["name"]}`, found]
    })
  )

const compareParameters = (before: Json, after: Json, documents: Documents): ReadonlyArray<string> => {
  const [old, next] = [parametersOf(documents.before, before), parametersOf(documents.after, after)]
  const added = [...next].flatMap(([name, { required }]) =>
    required === true && old.get(name)?.["required"] !== true ? [`parameter ${name} is required now`] : []
  )
  const changed = [...old].flatMap(([name, parameter]) => {
    const found = next.get(name)
    if (found === undefined) return [`parameter ${name} is gone`]
    return compareSchemas("request", objectIn(parameter, "schema"), objectIn(found, "schema"), documents).map(
      (says) => `parameter ${name}: ${says}`
    )
  })
  return [...added, ...changed]
}

// Of the schemes, one of which a request needs, and of the scopes of its key.
const needsOf = (operation: Json): ReadonlyArray<string> =>
  arrayIn(operation, "security").flatMap((needed) =>
    Predicate.isObject(needed)
      ? Object.entries(needed).flatMap(([scheme, scopes]) => [scheme, ...(Array.isArray(scopes) ? scopes : [])])
      : []
  )

const compareNeeds = (before: Json, after: Json): ReadonlyArray<string> =>
  needsOf(after)
    .filter((need) => !needsOf(before).includes(need))
    .map((need) => `${need} is needed now`)

const compareBodies = (direction: Direction, before: Json, after: Json, documents: Documents) => {
  const [old, next] = [objectIn(before, "requestBody"), objectIn(after, "requestBody")]
  const isRequired = old["required"] !== true && next["required"] === true
  return [...(isRequired ? ["the body is required now"] : []), ...compareContent(direction, old, next, documents)].map(
    (says) => `body: ${says}`
  )
}

const compareAnswers = (before: Json, after: Json, documents: Documents): ReadonlyArray<string> =>
  Object.entries(objectIn(before, "responses")).flatMap(([status, answer]) => {
    const found = objectIn(after, "responses")[status]
    if (!Predicate.isObject(found)) return [`status ${status} is gone`]
    const lost = Object.keys(objectIn(answer, "headers")).filter((name) => !(name in objectIn(found, "headers")))
    return [
      ...lost.map((name) => `header ${name} is gone`),
      ...compareContent(
        "answer",
        objectIn(objectIn(before, "responses"), status),
        objectIn(objectIn(after, "responses"), status),
        documents
      )
    ].map((says) => `${status}: ${says}`)
  })

type Operations = ReadonlyMap<string, Json>

const operationsOf = ({ paths }: OpenApi): Operations =>
  new Map(
    Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => [`${method.toUpperCase()} ${path}`, objectIn(item, method)] as const)
    )
  )

const webhooksOf = ({ webhooks }: OpenApi): Operations =>
  new Map(Object.entries(webhooks).map(([type, item]) => [type, objectIn(item, "post")]))

const compareAll = (
  before: Operations,
  after: Operations,
  compare: (before: Json, after: Json) => ReadonlyArray<string>
): ReadonlyArray<BreakingChange> =>
  [...before].flatMap(([operation, old]) => {
    const next = after.get(operation)
    const found = next === undefined ? ["is gone"] : [...new Set(compare(old, next))]
    return found.map((says) => ({ operation, says }))
  })

/**
 * Returns what a document takes away from callers of an earlier one. Additions are no such change: operations, statuses, headers, optional
 * fields of requests, fields and values of answers.
 */
export const breakingChanges = (before: OpenApi, after: OpenApi): ReadonlyArray<BreakingChange> => {
  const documents = { before, after }
  return [
    ...compareAll(operationsOf(before), operationsOf(after), (old, next) => [
      ...compareNeeds(old, next),
      ...compareParameters(old, next, documents),
      ...compareBodies("request", old, next, documents),
      ...compareAnswers(old, next, documents)
    ]),
    ...compareAll(webhooksOf(before), webhooksOf(after), (old, next) => {
      const names = parametersOf(after, next)
      return [
        ...[...parametersOf(before, old).keys()].filter((name) => !names.has(name)).map((name) => `${name} is gone`),
        ...compareBodies("answer", old, next, documents)
      ]
    })
  ]
}
