import type { ServiceAuditRecord, ShownCase } from "@care/domain/audit/AuditRecord"

// In as few bytes as possible, and not at all where no list is recorded.
const shownIn = (shown: ReadonlyArray<ShownCase>) =>
  shown.length === 0
    ? {}
    : { shownCaseIds: shown.map(({ caseId }) => caseId), shownUserIds: shown.map(({ userId }) => userId) }

/** A record as a line of JSON, with a member for each column, in this order: what the hash of its link is made of. */
export const recordLine = (record: ServiceAuditRecord): string => {
  const { action, actor, at, caseId, id, kinds, organizationId, requestId, shown, userId } = record
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
    kinds,
    ...shownIn(shown)
  })
}

/** The id of the organization whose record such a line is; none of what is no such line. */
export const organizationOf = (line: string): string => /^\{"organizationId":"([^"]+)"/.exec(line)?.[1] ?? ""
