import { randomUUID } from "node:crypto"
import type { NewEscalation } from "@care/domain/cases"
import { EscalationId, type UserId } from "@care/domain/ids"
import { Array as Arr } from "effect"
import type { EscalationRow } from "./EscalationsRepo.ts"

/** The rows of new escalations of a case, of which assignees are known by their emails. */
export const newRows = (
  common: Pick<EscalationRow, "organizationId" | "caseId" | "createdAt">,
  asked: ReadonlyArray<NewEscalation>,
  assignees: ReadonlyMap<string, UserId>
): ReadonlyArray<EscalationRow> => {
  // Lists are ordered by time and id, and these have one time: sorted ids keep the order in which they were asked for.
  const ids = asked.map(() => randomUUID()).sort()
  return Arr.zipWith(asked, ids, ({ assignedToEmail = "", followUpDueAt = null, note = null, title, type }, id) => ({
    ...common,
    id: EscalationId.make(id),
    type,
    title,
    note,
    followUpDueAt,
    assignedToUserId: assignees.get(assignedToEmail) ?? null,
    isCompleted: false,
    updatedAt: common.createdAt
  }))
}
