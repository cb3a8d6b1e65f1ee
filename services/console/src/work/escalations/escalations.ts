import { AdminEscalationsApi } from "@care/domain/admin"
import type { EscalationOfCase, EscalationsQuery } from "@care/domain/cases"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { type ListState, useList } from "../../client/useList.ts"
import { escalationsKey } from "../caseChanged.ts"
import type { EscalationsView } from "./escalationsViews.ts"

const { adminEscalations } = Effect.runSync(clientOf(AdminEscalationsApi))

export const useEscalations = (
  view: EscalationsView,
  organizationId: OrganizationId,
  userId: UserId
): ListState<EscalationOfCase> => {
  const whose: Pick<EscalationsQuery, "assignedTo" | "isUnassigned"> = {
    ...(view === "mine" && { assignedTo: userId }),
    ...(view === "nobodys" && { isUnassigned: "true" })
  }
  return useList(
    [escalationsKey, organizationId, whose],
    (cursor: PagePosition | undefined) =>
      adminEscalations.list({
        query: { organizationId, ...whose, state: "OPEN", limit: 50, ...(cursor !== undefined && { cursor }) }
      }),
    { refetchMillis: 30_000 }
  )
}
