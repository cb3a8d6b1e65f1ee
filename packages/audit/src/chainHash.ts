import { hash } from "node:crypto"
import type { ServiceAuditRecord, ShownCase } from "@care/domain/audit/AuditRecord"

// Two arrays, because they take fewer bytes than objects. A record without a list has neither.
const shownIn = (shown: ReadonlyArray<ShownCase>) =>
  shown.length === 0
    ? {}
    : { shownCaseIds: shown.map(({ caseId }) => caseId), shownUserIds: shown.map(({ userId }) => userId) }

/** Returns a record as a line of JSON, with its columns in a fixed order. The hash of its link covers this line. */
export const recordLine = (record: ServiceAuditRecord): string => {
  const { action, actor, at, caseId, id, kinds, organizationId, requestId, shown, userId } = record
  return JSON.stringify({
    organizationId,
    id,
    // The same text as `JSON.stringify` makes, in half the time.
    at: at.toISOString(),
    action,
    actorType: actor.type,
    actorId: actor.id,
    caseId,
    userId,
    requestId,
    kinds,
    ...shownIn(shown)
  })
}

/** Returns the id of the organization of a line, or an empty text if the line has none. */
export const organizationOf = (line: string): string => /^\{"organizationId":"([^"]+)"/.exec(line)?.[1] ?? ""

const inLine = /^\{"organizationId":"[^"]+","id":"([^"]+)","at":"([^"]+)","action":"([^"]+)"/
const kindsInLine = /"kinds":\[([^\]]*)\]/

/** Returns what a line names: its record's id, moment, action and kinds. Undefined if it is not the line of a record. */
export const partsOf = (line: string) => {
  const [, id, at, action] = inLine.exec(line) ?? []
  const kinds = kindsInLine.exec(line)?.[1]
  if (id === undefined || at === undefined || action === undefined || kinds === undefined) return undefined
  return { id, at: new Date(at), action, kinds: kinds === "" ? [] : kinds.slice(1, -1).split('","') }
}

/** The previous hash of the first link of a chain. */
export const firstHash = "0".repeat(64)

/** Returns the hash of a link from the line of its record (`recordLine`). */
export const chainHashOfLine = (previous: string, number: number, line: string): string =>
  hash("sha256", `${previous}${number}${line}`)

/** Returns the hash of a link: SHA-256, in hex, of the previous hash, the number of the link and the line of the record. */
export const chainHash = (previous: string, number: number, record: ServiceAuditRecord): string =>
  chainHashOfLine(previous, number, recordLine(record))
