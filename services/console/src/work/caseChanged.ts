import type { CaseId } from "@care/domain/ids"
import type { QueryClient } from "@tanstack/react-query"

/** The first words of the keys of what is read of cases. */
export const casesKey = "cases"
export const queueKey = "queue"
export const escalationsKey = "escalations"
export const dashboardKey = "dashboard"

/** Reads what is shown of cases again after a change: the lists and counts that they are in, and the cases, for which it waits. */
export const caseChanged = async (client: QueryClient, ...caseIds: ReadonlyArray<CaseId>): Promise<void> => {
  for (const list of [queueKey, escalationsKey, dashboardKey]) void client.invalidateQueries({ queryKey: [list] })
  await Promise.all(caseIds.map((caseId) => client.invalidateQueries({ queryKey: [casesKey, caseId] })))
}
