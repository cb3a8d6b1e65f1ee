import type { Scope } from "@care/domain/auth"
import { encodeError, ScopeMissing, TestKeyNeeded } from "@care/domain/http"
import { Predicate, Record } from "effect"
import { plainEndpoints, sharedPaths } from "../routing/index.ts"
import { pathTemplate, type ResponseObject, unique } from "./openApiDocument.ts"

type Scoped = Pick<(typeof plainEndpoints)[number], "action" | "endpoint" | "scope">

const keyOf = (method: string, path: string) => `${method.toUpperCase()} ${pathTemplate(path)}`

const scopedAt = new Map<string, ReadonlyArray<Scoped>>([
  ...plainEndpoints.map((scoped) => [keyOf(scoped.endpoint.method, scoped.endpoint.path), [scoped]] as const),
  ...sharedPaths.map(({ actions, endpoint }) => [keyOf(endpoint.method, endpoint.path), [...actions.values()]] as const)
])

const scopedOperations = (method: string, path: string) =>
  (scopedAt.get(keyOf(method, path)) ?? []).flatMap(({ action, endpoint, scope }) =>
    scope === undefined ? [] : [{ action, endpoint, scope }]
  )

/** Returns the scopes that a key needs for an operation: one of them, if several actions share the path. */
export const scopesAt = (method: string, path: string): ReadonlyArray<Scope> =>
  unique(scopedOperations(method, path).map(({ scope }) => scope))

/** Returns the scopes that a key needs for an operation, as a part of its description. */
export const describeScope = (method: string, path: string): ReadonlyArray<string> => {
  const needed = scopedOperations(method, path).map(({ action, scope }) =>
    action === undefined ? `\`${scope}\`` : `\`${scope}\` (${action})`
  )
  return needed.length === 0 ? [] : [`The key needs the scope ${needed.join(", ")}.`]
}

const bodyOf = ({
  endpoint,
  scope
}: ReturnType<typeof scopedOperations>[number]): Readonly<Record<string, unknown>> => {
  const body = encodeError(endpoint, scope === "test" ? new TestKeyNeeded() : new ScopeMissing({ scope }))?.body
  if (!Predicate.isObject(body)) throw new Error(`${endpoint.path} has no answer to an invalid key`)
  return { ...body }
}

const schemaOf = (body: Readonly<Record<string, unknown>>) => ({
  type: "object",
  required: Object.keys(body),
  properties: Record.map(body, (value) => (typeof value === "string" ? { type: "string" } : { const: value }))
})

const json = "application/json"

/** Returns the 403 of a key without the scope of an operation, together with the operation's own answer with this status. */
export const scopeAnswer = (
  method: string,
  path: string,
  own: ResponseObject | undefined
): Readonly<Record<string, ResponseObject>> => {
  const bodies = scopedOperations(method, path).map(bodyOf)
  const [body] = bodies
  if (body === undefined) return {}
  const ownContent = own?.content?.[json]
  const schemas = unique([...(ownContent === undefined ? [] : [ownContent.schema]), ...bodies.map(schemaOf)])
  return {
    "403": {
      ...own,
      description: [
        ...(own === undefined ? [] : [own.description]),
        "The key lacks the scope, or may not be used from the caller's address"
      ].join(" | "),
      content: {
        ...own?.content,
        [json]: {
          schema: schemas.length === 1 ? schemas[0] : { anyOf: schemas },
          examples: {
            ...ownContent?.examples,
            "The key lacks the scope": { value: body }
          }
        }
      }
    }
  }
}
