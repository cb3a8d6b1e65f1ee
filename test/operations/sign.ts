import { createHmac } from "node:crypto"
import type { CallerKind } from "@care/domain/http"
import { Webhook } from "standardwebhooks"
import StripeClient from "stripe"

/** What servers that tell something sign it with. */
export interface SigningSecrets {
  readonly pharmacy: string
  readonly stripe: string
  readonly scheduling: string
}

const stripe = new StripeClient("sk_test_nobody")

/** The headers of a body that a kind of callers signs; none of any other kind. */
export const signatureOf = (
  caller: CallerKind | undefined,
  body: string,
  secrets: SigningSecrets,
  now = new Date()
): Readonly<Record<string, string>> => {
  const seconds = Math.floor(now.getTime() / 1000)
  switch (caller) {
    case "pharmacy": {
      const id = createHmac("sha256", "id").update(body).digest("hex")
      const signature = new Webhook(secrets.pharmacy).sign(id, now, body)
      return { "webhook-id": id, "webhook-timestamp": String(seconds), "webhook-signature": signature }
    }
    case "stripe":
      return {
        "stripe-signature": stripe.webhooks.generateTestHeaderString({
          payload: body,
          secret: secrets.stripe,
          timestamp: seconds
        })
      }
    case "scheduling": {
      const hash = createHmac("sha256", secrets.scheduling).update(`${seconds}.${body}`).digest("hex")
      return { "calendly-webhook-signature": `t=${seconds},v1=${hash}` }
    }
    default:
      return {}
  }
}
