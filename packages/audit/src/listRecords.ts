import { type AuditAction, type DataKind, mostShown, type ShownCase } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { Array as Arr } from "effect"
import type { NewRecord } from "./NewRecord.ts"

/** A case that a list showed, with its organization. */
export interface ShownOf extends ShownCase {
  readonly organizationId: OrganizationId
}

// A list that shows one case is recorded as a read of it.
const recordOf = (shown: ReadonlyArray<ShownCase>): Pick<NewRecord, "caseId" | "userId" | "shown"> => {
  const [only, ...others] = shown
  return only === undefined || others.length > 0 ? { shown } : only
}

/** Returns the records of a list: one for each organization, which names each case once, or several if it has more than `mostShown`. */
export const listRecords = (
  action: AuditAction,
  shown: ReadonlyArray<ShownOf>,
  kinds?: ReadonlyArray<DataKind>
): ReadonlyArray<NewRecord> =>
  Object.values(Arr.groupBy(shown, ({ organizationId }) => organizationId)).flatMap((ofOne) => {
    const [{ organizationId }] = ofOne
    const cases = new Map(ofOne.map(({ caseId, userId }) => [`${caseId} ${userId}`, { caseId, userId }]))
    return Arr.chunksOf([...cases.values()], mostShown).map((some) => ({
      organizationId,
      action,
      ...(kinds !== undefined && { kinds }),
      ...recordOf(some)
    }))
  })
