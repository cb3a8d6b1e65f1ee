import { Effect } from "effect"
import { signatureOf } from "../../operations/sign.ts"
import { call } from "./call.ts"
import { Suite } from "./Suite.ts"
import { SuiteTime } from "./SuiteTime.ts"

/** Sends an event as the scheduling provider does, signed with its secret unless another is given. */
export const tell = (
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
      headers: signatureOf("scheduling", raw, secrets, signedAt)
    })
  })
