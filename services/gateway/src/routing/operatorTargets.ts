import { type IdName, ownersOfIds } from "@care/domain/ownIds"
import type * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"

/** How the cell of an operator's request is found: by an id, by its body, as the first one, or not at all, because it is a list of all cells. */
export type OperatorTarget =
  | { readonly by: "id"; readonly name: IdName; readonly id: string }
  | { readonly by: "firstCell" }
  | { readonly by: "newOrganization" }
  | { readonly by: "organizationInBody" }
  | { readonly by: "list"; readonly isOldestFirst: boolean }

type Endpoint = Pick<HttpApiEndpoint.Top, "method" | "path">

const isIdName = (name: string): name is IdName => Object.hasOwn(ownersOfIds, name)

// Filters that select rows of one organization.
const filters = ["organizationId", "caseId", "paymentId", "userId"] as const

const targetsOfBodies: Readonly<Record<string, OperatorTarget>> = {
  "/admin/v1/operators": { by: "firstCell" },
  "/admin/v1/incidents": { by: "firstCell" },
  "/admin/v1/incidents/:incidentId": { by: "firstCell" },
  "/admin/v1/organizations": { by: "newOrganization" },
  "/admin/v1/cases/assign": { by: "organizationInBody" },
  "/admin/v1/promo-codes": { by: "organizationInBody" },
  "/admin/v1/search": { by: "organizationInBody" }
}

// All other lists are newest first, unless the query asks for another order.
const oldestFirst: ReadonlyArray<string> = ["/admin/v1/operators", "/admin/v1/organizations"]

/** Returns how the cell of a request of an operator is found; undefined if it names none. `target` is its path and query. */
export const operatorTargetOf = ({ method, path }: Endpoint, target: string): OperatorTarget | undefined => {
  const [actualPath = "", query] = target.split("?", 2)
  const actual = actualPath.split("/")
  for (const [index, segment] of path.split("/").entries()) {
    const name = segment.slice(1)
    if (segment.startsWith(":") && isIdName(name)) return { by: "id", name, id: actual[index] ?? "" }
  }
  if (method !== "GET") return targetsOfBodies[path]
  const parameters = new URLSearchParams(query)
  for (const name of filters) {
    const id = parameters.get(name)
    if (id !== null) return { by: "id", name, id }
  }
  const isOldestFirst = oldestFirst.includes(path) || parameters.get("order")?.toUpperCase() === "OLDEST"
  return { by: "list", isOldestFirst }
}
