import { OrganizationsApi } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { queryOptions } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { send } from "../client/send.ts"

export const { organizations } = Effect.runSync(clientOf(OrganizationsApi))

/** The key of all that is read of organizations. What changes one of them makes it out of date. */
export const organizationsKey = ["organizations"] as const

export const organizationQuery = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: [...organizationsKey, "one", organizationId],
    queryFn: ({ signal }) => send(organizations.get({ params: { organizationId } }), signal)
  })
