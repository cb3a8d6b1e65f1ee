import { DashboardApi } from "@care/domain/admin"
import type { Dashboard } from "@care/domain/cases"
import type { OrganizationId } from "@care/domain/ids"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { send } from "../../client/send.ts"
import { dashboardKey } from "../caseChanged.ts"

const { dashboard } = Effect.runSync(clientOf(DashboardApi))

interface TaggedCounts {
  readonly counts: Dashboard
  readonly etag: string
}

/**
 * Reads the counts of an organization again and again. The service counts only when something has changed since the last answer.
 * `onChange` is called when it has.
 */
export const useDashboard = (
  organizationId: OrganizationId | undefined,
  options: { readonly refetchMillis: number; readonly onChange?: () => void }
) => {
  const client = useQueryClient()
  const queryKey = [dashboardKey, organizationId]
  return useQuery({
    queryKey,
    queryFn: async ({ signal }): Promise<TaggedCounts | null> => {
      if (organizationId === undefined) return null
      const known = client.getQueryData<TaggedCounts>(queryKey)
      const [counts, { headers }] = await send(
        dashboard.read({
          query: { organizationId },
          headers: known === undefined ? {} : { "if-none-match": known.etag },
          responseMode: "decoded-and-response"
        }),
        signal
      )
      if (counts === undefined) return known ?? null
      if (known !== undefined && JSON.stringify(known.counts) !== JSON.stringify(counts)) options.onChange?.()
      return { counts, etag: headers["etag"] ?? "" }
    },
    enabled: organizationId !== undefined,
    refetchInterval: options.refetchMillis
  })
}
