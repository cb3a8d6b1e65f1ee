import { endpoints } from "@care/domain/endpoints"
import { Action, AddsTo, type CallerKind } from "@care/domain/http"
import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { internalOperations, operations } from "../operations.ts"
import type { InternalId, OperationId } from "./ids.ts"
import type { InternalOperation, Operation } from "./Operation.ts"
import type { Request } from "./Request.ts"

/** The contract of an operation, with its entry in the table of operations. */
interface ContractOf<Id extends string, Line> {
  readonly id: Id
  /** `POST /api/v1/users/UPDATE_PROFILE` */
  readonly name: string
  readonly method: string
  /** The public path, with its parameters as `:caseId`. */
  readonly path: string
  /** Set if several operations share the path. */
  readonly action: string | undefined
  readonly caller: CallerKind | undefined
  readonly group: { readonly identifier: string }
  readonly endpoint: HttpApiEndpoint.Top
  /** Whether the operation adds something that counts for a quota. */
  readonly addsToQuota: boolean
  readonly entry: Line
}

export type Contract = ContractOf<OperationId, Operation>

const allEndpoints = endpoints.map(({ annotations, caller, endpoint, group }) => {
  const { identifier, method, path } = endpoint
  const action = Context.get(annotations, Action)
  return {
    id: `${group.identifier}.${identifier}`,
    name: `${method} ${path}`,
    method,
    path: action === undefined ? path : path.slice(0, -action.length - 1),
    action,
    caller,
    group,
    endpoint,
    addsToQuota: Context.get(annotations, AddsTo).length > 0
  }
})

const isIn = <Lines extends object>(table: Lines, id: PropertyKey): id is keyof Lines => Object.hasOwn(table, id)

/** The contracts of all public operations. */
export const contracts: ReadonlyArray<Contract> = allEndpoints.flatMap(({ id, ...contract }) =>
  isIn(operations, id) ? [{ ...contract, id, entry: operations[id] }] : []
)

/** The contracts of the operations that services call on each other. */
export const internalContracts: ReadonlyArray<ContractOf<InternalId, InternalOperation>> = allEndpoints.flatMap(
  ({ id, ...contract }) => (isIn(internalOperations, id) ? [{ ...contract, id, entry: internalOperations[id] }] : [])
)

const byId = new Map(contracts.map((contract) => [contract.id, contract]))

/** Returns the contract of an operation. */
export const contractOf = (id: OperationId): Contract => {
  const contract = byId.get(id)
  if (contract === undefined) throw new Error(`There is no operation ${id}`)
  return contract
}

/** Returns the HTTP request: method, path with its parameters and query, and body with the action. */
export const toHttpRequest = (
  { action, method, path }: Pick<Contract, "action" | "method" | "path">,
  { body, params = {}, query }: Request
) => ({
  method,
  path: `${path.replaceAll(/:(\w+)/g, (_, name) => encodeURIComponent(params[name] ?? ""))}${
    query === undefined ? "" : `?${new URLSearchParams(query)}`
  }`,
  body:
    method === "GET" || (action === undefined && body === undefined)
      ? undefined
      : { ...(action !== undefined && { action }), ...body }
})
