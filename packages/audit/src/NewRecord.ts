import { auditActions, type ServiceAuditRecord } from "@care/domain/audit"
import { actorIn, RequestId, Time } from "@care/service-kit"
import { Clock, Context, Effect } from "effect"
import { recordLine } from "./chainHash.ts"
import { sortedKinds } from "./kindBits.ts"
import { newRecordId } from "./recordId.ts"

/**
 * A record to be made: an action, and whose data it concerns. `kinds` default to those of the action, and `actor` to the caller, whom a request
 * that signs somebody in does not know yet.
 */
export interface NewRecord
  extends Pick<ServiceAuditRecord, "organizationId" | "action">,
    Partial<Pick<ServiceAuditRecord, "actor" | "apiKeyId" | "caseId" | "userId" | "kinds" | "shown">> {}

/** Who acts, when, and in which request. */
export interface Provenance extends Pick<ServiceAuditRecord, "actor" | "at" | "requestId"> {
  /** `at` by the clock of the organization (`Time.now`): the time of what is stored beside the record. */
  readonly now: Date
}

/** Returns the provenance of an action in a context now. */
export const provenanceIn = (context: Context.Context<never>): Provenance => {
  const millis = Context.get(context, Clock.Clock).currentTimeMillisUnsafe()
  return {
    actor: actorIn(context),
    at: new Date(millis),
    now: new Date(millis + (Context.get(context, Time.TestOrganization)?.aheadMillis ?? 0)),
    requestId: Context.get(context, RequestId)
  }
}

export const currentProvenance: Effect.Effect<Provenance> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed(provenanceIn(context))
)

export const lineOf = (
  { action, actor, apiKeyId, caseId, kinds, organizationId, shown, userId }: NewRecord,
  provenance: Provenance
): string =>
  recordLine({
    ...provenance,
    ...(actor !== undefined && { actor }),
    organizationId,
    id: newRecordId(provenance.at),
    action,
    caseId: caseId ?? null,
    userId: userId ?? null,
    ...(apiKeyId !== undefined && { apiKeyId }),
    kinds: sortedKinds(kinds ?? auditActions[action].kinds),
    shown: shown ?? []
  })
