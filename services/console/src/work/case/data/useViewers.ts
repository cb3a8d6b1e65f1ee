import type { CaseViewers } from "@care/domain/cases"
import type { CaseId } from "@care/domain/ids"
import { useQuery, useQueryClient } from "@tanstack/react-query"
import { useEffect } from "react"
import { modeHeaders } from "../../../client/mode.ts"
import { isUnseen } from "../../../client/RequestFailed.ts"
import { send } from "../../../client/send.ts"
import { caseViewers } from "./caseClients.ts"
import { caseKey } from "./caseQueries.ts"

const pollMillis = 10_000

// Who comes back at once is noted after they were removed, not before.
let leaving: Promise<unknown> = Promise.resolve()

// A page that is being closed sends nothing else.
const leave = (caseId: CaseId) => {
  leaving = fetch(`/admin/v1/cases/${caseId}/viewers`, {
    method: "DELETE",
    headers: modeHeaders(),
    keepalive: true
  }).catch(() => {})
}

/**
 * Says every ten seconds that the person looks at a case, while they see it, and returns who else does. When the case has changed since, or
 * is not theirs to read any more, it is read again.
 */
export const useViewers = (caseId: CaseId): CaseViewers["data"] => {
  const client = useQueryClient()
  useEffect(() => {
    const onLeave = () => leave(caseId)
    addEventListener("pagehide", onLeave)
    return () => {
      removeEventListener("pagehide", onLeave)
      leave(caseId)
    }
  }, [caseId])
  const queryKey = ["viewers", caseId]
  const reload = () => void client.invalidateQueries({ queryKey: caseKey(caseId) })
  const { data } = useQuery({
    queryKey,
    queryFn: async ({ signal }) => {
      await leaving
      const before = client.getQueryData<CaseViewers>(queryKey)
      const now = await send(caseViewers.look({ params: { caseId } }), signal).catch((error: Error) => {
        if (isUnseen(error)) reload()
        throw error
      })
      if (before !== undefined && before.lastChange !== now.lastChange) reload()
      return now
    },
    refetchInterval: pollMillis,
    retry: false,
    staleTime: 0,
    gcTime: 0
  })
  return data?.data ?? []
}
