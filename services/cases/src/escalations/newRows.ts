import { randomUUID } from "node:crypto"
import type { NewEscalation } from "@care/domain/cases"
import { EscalationId, type UserId } from "@care/domain/ids"
import { Array as Arr } from "effect"
import type { EscalationRow } from "./EscalationsRepo.ts"

/** Returns the rows of new escalations of a case. `assignees` are the ids of members by email. */
export const newRows = (
  common: Pick<EscalationRow, "organizationId" | "caseId" | "createdAt">,
  requested: ReadonlyArray<NewEscalation>,
  assignees: ReadonlyMap<string, UserId>
): ReadonlyArray<EscalationRow> => {
  // Lists are ordered by time and id. These have the same time, so sorted ids keep their order.
  const ids = requested.map(() => randomUUID()).sort()
  return Arr.zipWith(
    requested,
    ids,
    ({ assignedToEmail = "", followUpDueAt = null, note = null, title, type }, id) => ({
      ...common,
      id: EscalationId.make(id),
      type,
      title,
      note,
      followUpDueAt,
      assignedToUserId: assignees.get(assignedToEmail) ?? null,
      isCompleted: false,
      updatedAt: common.createdAt
    })
  )
}
