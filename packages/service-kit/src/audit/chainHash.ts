import { hash } from "node:crypto"
import type { ServiceAuditRecord } from "@care/domain/audit/AuditRecord"

/** What the first link of a chain has in place of the hash of the one before. */
export const firstHash = "0".repeat(64)

/**
 * The hash of a link: SHA-256, in hexadecimal digits, of the hash of the link before, the link's number and the whole record,
 * as JSON of a list in this order. Whoever has the records computes the same.
 */
export const chainHash = (previous: string, number: number, record: ServiceAuditRecord): string => {
  const { action, actor, at, caseId, id, kinds, organizationId, requestId, userId } = record
  const canonical = [
    previous,
    number,
    organizationId,
    id,
    at.toISOString(),
    action,
    actor.type,
    actor.id,
    caseId,
    userId,
    requestId,
    kinds
  ]
  return hash("sha256", JSON.stringify(canonical))
}
