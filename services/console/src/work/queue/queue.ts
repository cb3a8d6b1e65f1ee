import { CaseSearchApi, DashboardApi } from "@care/domain/admin"
import type { CaseSummary } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { type Query, useQuery, useQueryClient } from "@tanstack/react-query"
import { Effect, Predicate } from "effect"
import { useState } from "react"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"
import { type ListState, useList } from "../../client/useList.ts"
import { queueKey } from "../caseChanged.ts"
import type { QueueFilter, QueueOrder } from "./queueViews.ts"

const { caseSearch } = Effect.runSync(clientOf(CaseSearchApi))
const { dashboard } = Effect.runSync(clientOf(DashboardApi))

const pollMillis = 5000

// Cases are read again when something has changed, and after this time all the same: each read of cases is recorded.
const rereadMillis = 60_000

export const useQueue = (filter: QueueFilter, order: QueueOrder): ListState<CaseSummary> =>
  useList(
    [queueKey, filter, order],
    (cursor: PagePosition | undefined) =>
      caseSearch.list({
        query: {
          ...filter,
          order: order === "oldest" ? "OLDEST" : "NEWEST",
          limit: 50,
          ...(cursor !== undefined && { cursor })
        }
      }),
    { refetchMillis: rereadMillis }
  )

const hasOnePage = ({ state: { data } }: Query) =>
  !(Predicate.hasProperty(data, "pages") && Array.isArray(data.pages) && data.pages.length > 1)

/** Reads the queue again when the dashboard has changed, which is read often, because it shows no case. */
export const useQueueChanges = (organizationId: OrganizationId | undefined): void => {
  const client = useQueryClient()
  const queryKey = ["queue changes", organizationId]
  useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      if (organizationId === undefined) return ""
      const now = JSON.stringify(await send(dashboard.read({ query: { organizationId } }), signal))
      const before = client.getQueryData(queryKey)
      if (before !== undefined && before !== now) {
        void client.invalidateQueries({ queryKey: [queueKey], predicate: hasOnePage })
      }
      return now
    },
    enabled: organizationId !== undefined,
    refetchInterval: pollMillis
  })
}

/** The most new cases that are counted. */
export const maxNewCases = 20

/** Counts the cases that were created since the screen began to look for them. */
export const useNewCases = (filter: QueueFilter, isEnabled: boolean): number => {
  const newest = useQuery({
    queryKey: [queueKey, filter, "arrivals"],
    queryFn: ({ signal }) =>
      send(caseSearch.list({ query: { ...filter, order: "NEWEST", limit: maxNewCases } }), signal),
    enabled: isEnabled,
    refetchInterval: rereadMillis,
    gcTime: 0
  }).data?.data
  const [since, setSince] = useState<Date | undefined>(undefined)
  if (since === undefined && newest !== undefined) setSince(newest[0]?.createdAt ?? new Date(0))
  return newest?.filter(({ createdAt }) => since !== undefined && createdAt > since).length ?? 0
}
