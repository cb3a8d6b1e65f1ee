import { hash } from "node:crypto"
import type { ServiceAuditRecord } from "@care/domain/audit/AuditRecord"
import { firstHash, hashedText, recordLine } from "@care/domain/audit/hashedText"

export { firstHash, recordLine }

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

/** Returns the hash of a link from the line of its record (`recordLine`). */
export const chainHashOfLine = (previous: string, number: number, line: string): string =>
  hash("sha256", `${previous}${number}${line}`)

/** Returns the hash of a link: SHA-256, in hex, of the previous hash, the number of the link and the line of the record. */
export const chainHash = (previous: string, number: number, record: ServiceAuditRecord): string =>
  hash("sha256", hashedText(previous, number, record))
