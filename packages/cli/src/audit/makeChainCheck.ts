import { chainHash, firstHash } from "@care/audit/chainHash"
import type { AuditLink } from "@care/domain/audit/AuditRecord"

/** A head that the chain must have, or have had when it was stored. */
interface KnownEnd {
  readonly count: number
  readonly hash: string
}

const removedRecords = (first: number, last: number): string =>
  first === last ? `record ${first} was removed` : `records ${first} to ${last} were removed`

/** Makes the check of a chain, which recomputes the hash of each link and describes the differences. */
export const makeChainCheck = (ends: ReadonlyArray<KnownEnd>) => {
  let previous: string | undefined = firstHash
  let last = 0

  // After a gap the hash before the next link is unknown.
  const ofLink = ({ hash, number, record, recordId }: AuditLink): ReadonlyArray<string> => {
    const gap = number > last + 1 ? [removedRecords(last + 1, number - 1)] : []
    const before = gap.length === 0 ? previous : undefined
    previous = hash
    last = number
    const replaced = ends.some((end) => end.count === number && end.hash !== hash)
      ? [`the chain was another one when record ${number} was its last`]
      : []
    if (record === null) return [...gap, `record ${number} was removed, or made unreadable: ${recordId}`, ...replaced]
    const isChanged = before !== undefined && chainHash(before, number, record) !== hash
    return [...gap, ...(isChanged ? [`record ${number} was changed: ${recordId}`] : []), ...replaced]
  }

  return {
    /** Returns the faults of the next link. */
    ofLink,
    /** Returns the faults at the end: the newest records may have been removed. */
    ofEnd: (): ReadonlyArray<string> => {
      const count = Math.max(0, ...ends.map((end) => end.count))
      return count > last ? [removedRecords(last + 1, count)] : []
    }
  }
}
