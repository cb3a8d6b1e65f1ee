import type { Organization } from "@care/domain/auth"
import { queryOptions } from "@tanstack/react-query"
import { Effect } from "effect"
import { send } from "../client/send.ts"
import { organizations, organizationsKey } from "../organization/organizationQueries.ts"

// The list of the API has no search, so that of the console has a bound.
const most = 5_000

const all = Effect.gen(function* () {
  const found: Array<Organization> = []
  let page = yield* organizations.list({ query: { limit: 100 } })
  found.push(...page.data)
  while (page.nextCursor !== null && found.length < most) {
    page = yield* organizations.list({ query: { limit: 100, cursor: page.nextCursor } })
    found.push(...page.data)
  }
  return found.toSorted((one, other) => one.name.localeCompare(other.name, "en", { numeric: true }))
})

/** All organizations by name, for operators. */
export const organizationsQuery = queryOptions({
  queryKey: [...organizationsKey, "all"],
  queryFn: ({ signal }) => send(all, signal),
  staleTime: 60_000
})
