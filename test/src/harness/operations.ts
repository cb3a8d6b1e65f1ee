import { endpoints } from "@care/domain/endpoints"
import { Action, type PublicCaller } from "@care/domain/http"
import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/** An operation of the public contracts. */
export interface Operation {
  /** `users.updateProfile` */
  readonly id: string
  readonly method: string
  /** The public path, with its parameters as `:caseId`. */
  readonly path: string
  /** Set where operations share the path. */
  readonly action: string | undefined
  readonly caller: PublicCaller
  readonly endpoint: HttpApiEndpoint.Top
}

/** Everything that somebody outside may ask for. */
export const operations: ReadonlyArray<Operation> = endpoints.flatMap(({ annotations, caller, endpoint, group }) => {
  if (caller === undefined || caller === "service") return []
  const { identifier, method, path } = endpoint
  const action = Context.get(annotations, Action)
  return {
    id: `${group.identifier}.${identifier}`,
    method,
    path: action === undefined ? path : path.slice(0, -action.length - 1),
    action,
    caller,
    endpoint
  }
})

const patternOf = (path: string) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`)

const known = operations.map((operation) => ({ ...operation, pattern: patternOf(operation.path) }))

/** The operation that a call means; undefined when it means none. */
export const operationOf = (method: string, path: string, action: unknown): string | undefined => {
  const at = path.replace(/\?.*/s, "")
  return known.find(
    (operation) =>
      operation.method === method &&
      operation.pattern.test(at) &&
      (operation.action === undefined || operation.action === action)
  )?.id
}
