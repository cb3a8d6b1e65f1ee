import { CaseSearchApi, createdAtAge } from "@care/domain/admin"
import type { CaseAge, CaseOrder, CaseSearchQuery, CaseSummary } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { type Query, useQuery, useQueryClient } from "@tanstack/react-query"
import { Effect, Predicate } from "effect"
import { useState } from "react"
import { clientOf } from "../../client/clientOf.ts"
import { organizationNow } from "../../client/clock.ts"
import { send } from "../../client/send.ts"
import { type ListState, useList } from "../../client/useList.ts"
import { queueKey } from "../caseChanged.ts"
import { useDashboard } from "../dashboard/useDashboard.ts"
import type { QueueFilter, QueueOrder } from "./queueViews.ts"

const { caseSearch } = Effect.runSync(clientOf(CaseSearchApi))
const pollMillis = 5000

// Cases are read again when something has changed, and after this time all the same: each read of cases is recorded. Nobody tells what has
// changed in all organizations.
const rereadMillisIn = ({ organizationId }: QueueFilter) => (organizationId === undefined ? 15_000 : 60_000)

const rangeOf = (age: CaseAge | undefined): Pick<CaseSearchQuery, "createdBefore" | "createdSince"> => {
  if (age === undefined) return {}
  const { before, since } = createdAtAge(age, organizationNow())
  return { ...(since !== undefined && { createdSince: since }), ...(before !== undefined && { createdBefore: before }) }
}

// Only the cases of one organization have an order of urgency.
const orderOf = (order: QueueOrder, { organizationId }: QueueFilter): CaseOrder => {
  if (order === "newest") return "NEWEST"
  return organizationId === undefined ? "OLDEST" : "URGENCY"
}

export const useQueue = (
  filter: QueueFilter,
  {
    age,
    isEnabled,
    order
  }: { readonly age: CaseAge | undefined; readonly order: QueueOrder; readonly isEnabled: boolean }
): ListState<CaseSummary> =>
  useList(
    [queueKey, filter, order, age],
    (cursor: PagePosition | undefined) =>
      caseSearch.list({
        query: {
          ...filter,
          ...rangeOf(age),
          order: orderOf(order, filter),
          limit: 50,
          ...(cursor !== undefined && { cursor })
        }
      }),
    { refetchMillis: rereadMillisIn(filter), isEnabled }
  )

const hasOnePage = ({ state: { data } }: Query) =>
  !(Predicate.hasProperty(data, "pages") && Array.isArray(data.pages) && data.pages.length > 1)

/** Reads the counts often, because they show no case, and the queue again when they have changed. */
export const useQueueChanges = (organizationId: OrganizationId | undefined) => {
  const client = useQueryClient()
  return useDashboard(organizationId, {
    refetchMillis: pollMillis,
    onChange: () => void client.invalidateQueries({ queryKey: [queueKey], predicate: hasOnePage })
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
    refetchInterval: rereadMillisIn(filter),
    gcTime: 0
  }).data?.data
  const [since, setSince] = useState<Date | undefined>(undefined)
  if (since === undefined && newest !== undefined) setSince(newest[0]?.createdAt ?? new Date(0))
  return newest?.filter(({ createdAt }) => since !== undefined && createdAt > since).length ?? 0
}
