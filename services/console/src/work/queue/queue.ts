import { CaseSearchApi } from "@care/domain/admin"
import type { CaseSummary } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import { useQuery } from "@tanstack/react-query"
import { Effect } from "effect"
import { useState } from "react"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"
import { type ListState, useList } from "../../client/useList.ts"
import type { QueueFilter, QueueOrder } from "./queueViews.ts"

const { caseSearch } = Effect.runSync(clientOf(CaseSearchApi))

const pollMillis = 5000

/** The first word of the keys of all queries of queues. */
export const queueKey = "queue"

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
    { refetchMillis: pollMillis }
  )

/** The most new cases that are counted. */
export const maxNewCases = 20

/** Counts the cases that were created since the screen began to look for them. */
export const useNewCases = (filter: QueueFilter, isEnabled: boolean): number => {
  const newest = useQuery({
    queryKey: [queueKey, filter, "arrivals"],
    queryFn: ({ signal }) =>
      send(caseSearch.list({ query: { ...filter, order: "NEWEST", limit: maxNewCases } }), signal),
    enabled: isEnabled,
    refetchInterval: pollMillis,
    gcTime: 0
  }).data?.data
  const [since, setSince] = useState<Date | undefined>(undefined)
  if (since === undefined && newest !== undefined) setSince(newest[0]?.createdAt ?? new Date(0))
  return newest?.filter(({ createdAt }) => since !== undefined && createdAt > since).length ?? 0
}
