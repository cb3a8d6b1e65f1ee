import { AdminRequestLogsApi, UsageApi } from "@care/domain/admin"
import type { OrganizationId } from "@care/domain/ids"
import { queryOptions } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../client/clientOf.ts"
import { send } from "../client/send.ts"

const { usage } = Effect.runSync(clientOf(UsageApi))
const { adminRequestLogs } = Effect.runSync(clientOf(AdminRequestLogsApi))

/** What an organization stores, and its quotas. */
export const storedQuery = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: ["usage", organizationId],
    queryFn: ({ signal }) => send(usage.list({ params: { organizationId } }), signal)
  })

/** What an organization uses of its rate limits, read again every few seconds. */
export const rateLimitsQuery = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: ["rate-limits", organizationId],
    queryFn: ({ signal }) => send(usage.rateLimits({ params: { organizationId } }), signal),
    refetchInterval: 5_000
  })

/** How many requests an organization sent on each of the last seven days. */
export const requestDaysQuery = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: ["request-days", organizationId],
    queryFn: ({ signal }) => send(adminRequestLogs.days({ query: { organizationId } }), signal)
  })
