import type { CaseId, OrganizationId } from "@care/domain/ids"
import { queryOptions } from "@tanstack/react-query"
import { organizationNow } from "../../../client/clock.ts"
import { send } from "../../../client/send.ts"
import { casesKey } from "../../caseChanged.ts"
import { backOffice, caseChart } from "./caseClients.ts"

/** The first words of the keys of all that is read of a case. */
export const caseKey = (caseId: CaseId) => [casesKey, caseId] as const

/** A case with its lists. Whoever broke the glass reads it again when that ends. */
export const caseQuery = (caseId: CaseId) =>
  queryOptions({
    queryKey: [...caseKey(caseId), "case"],
    queryFn: ({ signal }) => send(backOffice.case({ params: { caseId } }), signal),
    refetchInterval: ({ state }) => {
      const until = state.data?.glassBrokenUntil
      return until == null ? false : Math.max(until.getTime() - organizationNow() + 1000, 1000)
    }
  })

/** The patient of a case, or null for one who was removed. */
export const patientQuery = (caseId: CaseId) =>
  queryOptions({
    queryKey: [...caseKey(caseId), "patient"],
    queryFn: async ({ signal }) => (await send(caseChart.patient({ params: { caseId } }), signal)).data
  })

/** The staff of an organization: at most its first hundred. */
export const staffQuery = (organizationId: OrganizationId) =>
  queryOptions({
    queryKey: ["members", organizationId, "staff"],
    queryFn: async ({ signal }) => {
      // What it checks is large, and names are not needed first.
      const { members } = await import("./membersClient.ts")
      const query = { isActive: "true", limit: 100 } as const
      return (await send(members.list({ params: { organizationId }, query }), signal)).data
    },
    staleTime: 300_000
  })
