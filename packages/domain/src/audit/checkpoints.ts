import { Schema } from "effect"
import { AuditMonth } from "./AuditMonth.ts"
import type { AuditCheckpoint, AuditLink } from "./AuditRecord.ts"
import { firstHash } from "./hashedText.ts"

export const monthText = Schema.encodeSync(AuditMonth)

/** Returns the faults of all checkpoints of a chain, in their order: each begins where the one before it ends. */
export const faultsOfCheckpoints = (checkpoints: ReadonlyArray<AuditCheckpoint>): ReadonlyArray<string> =>
  checkpoints.flatMap(({ countBefore, hashBefore, isGenuine, month }, index) => {
    const { count, hash } = checkpoints[index - 1] ?? { count: 0, hash: firstHash }
    return [
      ...(isGenuine ? [] : [`the checkpoint of ${monthText(month)} was changed, or made by somebody else`]),
      ...(countBefore === count && hashBefore === hash
        ? []
        : [`a month before ${monthText(month)} was removed, or its checkpoint changed`])
    ]
  })

/** Returns whether a link is in the month in which the checkpoints of its chain have its number. */
export const isInItsMonth = (
  { month, number }: Pick<AuditLink, "month" | "number">,
  checkpoints: ReadonlyArray<AuditCheckpoint>
): boolean => {
  if (month === undefined) return true
  const checkpoint = checkpoints.find((each) => each.month === month)
  return checkpoint === undefined
    ? number > (checkpoints.at(-1)?.count ?? 0)
    : number > checkpoint.countBefore && number <= checkpoint.count
}
