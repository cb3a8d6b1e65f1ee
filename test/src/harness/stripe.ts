import { stripeControl } from "@care/stand-ins"
import { Effect } from "effect"
import StripeClient from "stripe"
import { signatureHeaders } from "../../operations/signatureHeaders.ts"
import { call } from "./call.ts"
import { Suite } from "./Suite.ts"

// In tests the services' Stripe client retries at once after a connection was closed, instead of after half a second.
StripeClient.prototype.getInitialNetworkRetryDelay = () => 0

/** The test controls of the Stripe stand-in. */
export const atStripe = Effect.map(Suite, ({ secrets, stripeUrl }) =>
  stripeControl({ url: stripeUrl, secretKey: secrets.STRIPE_SECRET_KEY })
)

/** Calls the API of the Stripe stand-in with the platform's key. */
export const askStripe = <A>(use: (client: StripeClient) => Promise<A>) =>
  Effect.flatMap(Suite, ({ secrets, stripeUrl }) => {
    const { hostname, port } = new URL(stripeUrl)
    const client = new StripeClient(secrets.STRIPE_SECRET_KEY, { host: hostname, port, protocol: "http" })
    return Effect.promise(() => use(client))
  })

/** An event of Stripe. */
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

/** Returns the headers that sign a body as Stripe does. */
export const signedAs = (body: string, secret: string, timestamp?: number) =>
  signatureHeaders("stripe", body, { stripe: secret }, timestamp === undefined ? undefined : new Date(1000 * timestamp))

/** Sends a signed event. */
export const sendEvent = (event: SentEvent, { secret, timestamp }: Signing = {}) =>
  Effect.flatMap(Suite, ({ secrets }) => {
    const raw = JSON.stringify(event)
    return call("POST", "/webhooks/stripe", {
      raw,
      headers: signedAs(raw, secret ?? secrets.STRIPE_WEBHOOK_SECRET, timestamp)
    })
  })
