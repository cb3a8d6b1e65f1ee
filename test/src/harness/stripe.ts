import { stripeControl } from "@care/stand-ins"
import { Effect } from "effect"
import StripeClient from "stripe"
import { signatureOf } from "../../operations/sign.ts"
import { call } from "./call.ts"
import { Suite } from "./Suite.ts"

// The services' client waits half a second before it tries again what hung up. In a test it does not.
StripeClient.prototype.getInitialNetworkRetryDelay = () => 0

/** What tests ask of the stand-in for Stripe, beside what its API is asked. */
export const atStripe = Effect.map(Suite, ({ secrets, stripeUrl }) =>
  stripeControl({ url: stripeUrl, secretKey: secrets.STRIPE_SECRET_KEY })
)

/** Asks Stripe's API, as whoever has the key of the platform. */
export const askStripe = <A>(ask: (client: StripeClient) => Promise<A>) =>
  Effect.flatMap(Suite, ({ secrets, stripeUrl }) => {
    const { hostname, port } = new URL(stripeUrl)
    const client = new StripeClient(secrets.STRIPE_SECRET_KEY, { host: hostname, port, protocol: "http" })
    return Effect.promise(() => ask(client))
  })

/** An event as Stripe sends it. */
export interface SentEvent {
  readonly id: string
  readonly type: string
  readonly created?: number
  readonly api_version?: string | null
  readonly data: { readonly object: unknown }
}

interface Signing {
  readonly secret?: string
  /** When it was signed, in seconds since 1970. */
  readonly timestamp?: number
}

/** The headers of a body that is signed as Stripe does. */
export const signedAs = (body: string, secret: string, timestamp?: number) =>
  signatureOf("stripe", body, { stripe: secret }, timestamp === undefined ? undefined : new Date(1000 * timestamp))

/** Sends a signed event. */
export const sendEvent = (event: SentEvent, { secret, timestamp }: Signing = {}) =>
  Effect.flatMap(Suite, ({ secrets }) => {
    const raw = JSON.stringify(event)
    return call("POST", "/webhooks/stripe", {
      raw,
      headers: signedAs(raw, secret ?? secrets.STRIPE_WEBHOOK_SECRET, timestamp)
    })
  })
