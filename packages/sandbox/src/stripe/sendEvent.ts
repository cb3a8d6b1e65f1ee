import type { StripeEvent } from "./StripeEvent.ts"

/** Who is told of events, and the secret that signs what they are told. */
export interface Webhook {
  readonly url: string
  readonly secret: string
}

const answerMillis = 10_000

/** Tells of an event, signed as of now (in milliseconds): the status that it is answered with. */
export const sendEvent = async (
  { secret, url }: Webhook,
  event: StripeEvent,
  now: number,
  closing: AbortSignal
): Promise<number> => {
  // To load the client takes longer than everything else here: it is loaded when there is something to sign.
  const { default: Stripe } = await import("stripe")
  const payload = JSON.stringify(event)
  const timestamp = Math.floor(now / 1000)
  const answer = await fetch(url, {
    method: "POST",
    redirect: "manual",
    headers: {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
    },
    body: payload,
    signal: AbortSignal.any([closing, AbortSignal.timeout(answerMillis)])
  })
  await answer.arrayBuffer()
  return answer.status
}
