import { createHmac } from "node:crypto"
import { Effect } from "effect"
import { call } from "./call.ts"
import { Suite } from "./Suite.ts"
import { SuiteTime } from "./SuiteTime.ts"

/** Sends an event as the scheduling provider does, signed with its secret unless another is given. */
export const tell = (
  event: unknown,
  { secret, secondsAgo = 0 }: { readonly secret?: string; readonly secondsAgo?: number } = {}
) =>
  Effect.gen(function* () {
    const { secrets } = yield* Suite
    const { clock } = yield* SuiteTime
    const raw = typeof event === "string" ? event : JSON.stringify(event)
    const time = Math.floor(clock.currentTimeMillisUnsafe() / 1000) - secondsAgo
    const hash = createHmac("sha256", secret ?? secrets.SCHEDULING_WEBHOOK_SECRET)
      .update(`${time}.${raw}`)
      .digest("hex")
    return yield* call("POST", "/webhooks/scheduling", {
      raw,
      headers: { "calendly-webhook-signature": `t=${time},v1=${hash}` }
    })
  })
