import { AuditApi } from "@care/domain/admin"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"

/** The client of audit records. */
export const { audit } = Effect.runSync(clientOf(AuditApi))
