import { randomUUID } from "node:crypto"
import { auditActions, type ServiceAuditRecord } from "@care/domain/audit"
import { Clock, Context, Effect } from "effect"
import { RequestId } from "../http/RequestId.ts"
import { actorIn } from "../identity/actorIn.ts"

/** What is recorded: an action, and on whose data. `kinds` are those of the action unless they are given. */
export interface NewRecord
  extends Pick<ServiceAuditRecord, "organizationId" | "action">,
    Partial<Pick<ServiceAuditRecord, "caseId" | "userId" | "kinds">> {}

/** Who acts, when, and on which request. */
export type Doing = Pick<ServiceAuditRecord, "actor" | "at" | "requestId">

/** The same of what is done now. */
export const currentDoing: Effect.Effect<Doing> = Effect.contextWith((context: Context.Context<never>) =>
  Effect.succeed({
    actor: actorIn(context),
    at: new Date(Context.get(context, Clock.Clock).currentTimeMillisUnsafe()),
    requestId: Context.get(context, RequestId)
  })
)

/** A record as a line of JSON, with a member for each column. */
export const lineOf = ({ action, caseId, kinds, organizationId, userId }: NewRecord, { actor, at, requestId }: Doing) =>
  JSON.stringify({
    organization_id: organizationId,
    id: randomUUID(),
    at: at.toISOString(),
    action,
    actor_type: actor.type,
    actor_id: actor.id,
    case_id: caseId ?? null,
    user_id: userId ?? null,
    request_id: requestId,
    kinds: kinds ?? auditActions[action].kinds
  })
