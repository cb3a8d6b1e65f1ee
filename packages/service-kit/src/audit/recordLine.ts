import type { ServiceAuditRecord } from "@care/domain/audit/AuditRecord"

/** A record as a line of JSON, with a member for each column (`RecordRow`), in this order: what the hash of its link is made of. */
export const recordLine = (record: ServiceAuditRecord): string => {
  const { action, actor, at, caseId, id, kinds, organizationId, requestId, userId } = record
  return JSON.stringify({
    organizationId,
    id,
    // What JSON makes of it, in half the time.
    at: at.toISOString(),
    action,
    actorType: actor.type,
    actorId: actor.id,
    caseId,
    userId,
    requestId,
    kinds
  })
}

/** The id of the organization whose record such a line is; none of what is no such line. */
export const organizationOf = (line: string): string => /^\{"organizationId":"([^"]+)"/.exec(line)?.[1] ?? ""
