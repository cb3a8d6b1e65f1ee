import { createHash, createHmac } from "node:crypto"
import type { CallerKind } from "@care/domain/http"
import { Webhook } from "standardwebhooks"
import StripeClient from "stripe"

/** The signing secrets of callers that sign their requests. */
export type SigningSecrets = Partial<Record<CallerKind, string>>

const stripe = new StripeClient("sk_test_nobody")

/** Returns the headers that sign a body for a kind of caller; none if the kind has no secret. */
export const signatureHeaders = (
  caller: CallerKind | undefined,
  body: string,
  secrets: SigningSecrets,
  now = new Date()
): Readonly<Record<string, string>> => {
  const secret = caller === undefined ? undefined : secrets[caller]
  if (secret === undefined) return {}
  const timestamp = Math.floor(now.getTime() / 1000)
  if (caller === "stripe") {
    return { "stripe-signature": stripe.webhooks.generateTestHeaderString({ payload: body, secret, timestamp }) }
  }
  if (caller === "scheduling") {
    const hash = createHmac("sha256", secret).update(`${timestamp}.${body}`).digest("hex")
    return { "calendly-webhook-signature": `t=${timestamp},v1=${hash}` }
  }
  const id = createHash("sha256").update(body).digest("hex")
  const signature = new Webhook(secret).sign(id, now, body)
  return { "webhook-id": id, "webhook-timestamp": String(timestamp), "webhook-signature": signature }
}
