import { Effect } from "effect"
import { signatureHeaders } from "../../operations/signatureHeaders.ts"
import { call } from "./call.ts"
import { Suite } from "./Suite.ts"
import { SuiteTime } from "./SuiteTime.ts"

/** Sends an event of the scheduling provider, signed with its secret or with the given one. */
export const sendSchedulingEvent = (
  event: unknown,
  { secret, secondsAgo = 0 }: { readonly secret?: string; readonly secondsAgo?: number } = {}
) =>
  Effect.gen(function* () {
    const { clock } = yield* SuiteTime
    const raw = typeof event === "string" ? event : JSON.stringify(event)
    const signedAt = new Date(clock.currentTimeMillisUnsafe() - 1000 * secondsAgo)
    const secrets = { scheduling: secret ?? (yield* Suite).secrets.SCHEDULING_WEBHOOK_SECRET }
    return yield* call("POST", "/webhooks/scheduling", {
      raw,
      headers: signatureHeaders("scheduling", raw, secrets, signedAt)
    })
  })
