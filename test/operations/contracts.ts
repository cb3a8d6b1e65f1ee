import { endpoints } from "@care/domain/endpoints"
import { Action, AddsTo, type CallerKind } from "@care/domain/http"
import { Context } from "effect"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import { internalOperations, operations } from "../operations.ts"
import type { InternalId, OperationId } from "./ids.ts"
import type { InternalOperation, Operation } from "./Operation.ts"
import type { Request } from "./Request.ts"

/** What the contract of an operation says, with its line in the table. */
interface ContractOf<Id extends string, Line> {
  readonly id: Id
  /** `POST /api/v1/users/UPDATE_PROFILE` */
  readonly name: string
  readonly method: string
  /** The public path, with its parameters as `:caseId`. */
  readonly path: string
  /** Set where operations share the path. */
  readonly action: string | undefined
  readonly caller: CallerKind | undefined
  readonly endpoint: HttpApiEndpoint.Top
  /** True when it adds to what has a quota. */
  readonly adds: boolean
  readonly line: Line
}

export type Contract = ContractOf<OperationId, Operation>

const served = endpoints.map(({ annotations, caller, endpoint, group }) => {
  const { identifier, method, path } = endpoint
  const action = Context.get(annotations, Action)
  return {
    id: `${group.identifier}.${identifier}`,
    name: `${method} ${path}`,
    method,
    path: action === undefined ? path : path.slice(0, -action.length - 1),
    action,
    caller,
    endpoint,
    adds: Context.get(annotations, AddsTo).length > 0
  }
})

const isIn = <Lines extends object>(lines: Lines, id: PropertyKey): id is keyof Lines => Object.hasOwn(lines, id)

/** The contracts of what somebody outside may ask for. */
export const contracts: ReadonlyArray<Contract> = served.flatMap(({ id, ...contract }) =>
  isIn(operations, id) ? [{ ...contract, id, line: operations[id] }] : []
)

/** The contracts of what services ask each other for. */
export const internalContracts: ReadonlyArray<ContractOf<InternalId, InternalOperation>> = served.flatMap(
  ({ id, ...contract }) => (isIn(internalOperations, id) ? [{ ...contract, id, line: internalOperations[id] }] : [])
)

const byId = new Map(contracts.map((contract) => [contract.id, contract]))

/** The contract of an operation. */
export const contractOf = (id: OperationId): Contract => {
  const contract = byId.get(id)
  if (contract === undefined) throw new Error(`There is no operation ${id}`)
  return contract
}

/** A request as it is sent: the path has its parameters, and the query behind it. */
export const writtenAs = (
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
