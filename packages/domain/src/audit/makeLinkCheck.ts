import type { AuditCheckpoint, AuditLink } from "./AuditRecord.ts"
import { isInItsMonth } from "./checkpoints.ts"
import { firstHash, hashedText } from "./hashedText.ts"

/** A head that the chain must have, or have had when it was stored. */
export interface KnownEnd {
  readonly count: number
  readonly hash: string
}

const removedRecords = (first: number, last: number): string =>
  first === last ? `record ${first} was removed` : `records ${first} to ${last} were removed`

/**
 * Makes the check of a chain, which describes what differs from what a service wrote. Its caller computes the hashes. It starts at the
 * beginning of the chain, or after a known end. Months that are archived are passed over, from the state before them to that after them.
 */
export const makeLinkCheck = (
  ends: ReadonlyArray<KnownEnd>,
  checkpoints: ReadonlyArray<AuditCheckpoint> = [],
  start: KnownEnd = { count: 0, hash: firstHash }
) => {
  let previous = start.hash
  let last = start.count
  const archived = checkpoints.filter(({ isArchived }) => isArchived)

  const passArchived = (): void => {
    for (const { count, countBefore, hash } of archived) {
      if (countBefore !== last) continue
      last = count
      previous = hash
    }
  }

  // Version 1 stored some records of a month in other tables, which keep them. The archive has them, too.
  const isInArchive = ({ month, number }: AuditLink): boolean =>
    month === undefined && archived.some(({ count, countBefore }) => number > countBefore && number <= count)

  /** Returns the text whose SHA-256 the next link must have. Undefined after a gap, where the hash before it is unknown. */
  const textOf = (link: AuditLink): string | undefined => {
    const { number, record } = link
    if (isInArchive(link)) return undefined
    passArchived()
    return record === null || number !== last + 1 ? undefined : hashedText(previous, number, record)
  }

  /** Returns the faults of the next link. `computed` is the SHA-256 of its text. */
  const ofLink = (link: AuditLink, computed: string | undefined): ReadonlyArray<string> => {
    const { hash, number, record, recordId } = link
    if (isInArchive(link)) return []
    passArchived()
    const misplaced = isInItsMonth(link, checkpoints)
      ? []
      : [`record ${number} was moved to another month: ${recordId}`]
    if (number <= last) return misplaced.length > 0 ? misplaced : [`record ${number} is there twice: ${recordId}`]
    const gap = number > last + 1 ? [removedRecords(last + 1, number - 1)] : []
    previous = hash
    last = number
    const replaced = ends.some((end) => end.count === number && end.hash !== hash)
      ? [`the chain was another one when record ${number} was its last`]
      : []
    const found = [...gap, ...misplaced]
    if (record === null) return [...found, `record ${number} was removed, or made unreadable: ${recordId}`, ...replaced]
    const isChanged = computed !== undefined && computed !== hash
    return [...found, ...(isChanged ? [`record ${number} was changed: ${recordId}`] : []), ...replaced]
  }

  return {
    textOf,
    ofLink,
    /** Returns the faults at the end: the newest records may have been removed. */
    ofEnd: (): ReadonlyArray<string> => {
      passArchived()
      const count = Math.max(0, ...ends.map((end) => end.count))
      return count > last ? [removedRecords(last + 1, count)] : []
    }
  }
}
