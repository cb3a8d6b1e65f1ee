import { Clock, Effect } from "effect"
import { type Channel, EventDeliveries, type Webhook } from "../standIn/EventDeliveries.ts"
import { StandIn } from "../standIn/StandIn.ts"
import { openLedger } from "../standIn/StandInLedger.ts"
import type { Address, Head, Incoming, Reply, StandInAnswer } from "../standIn/serveStandIn.ts"
import { makeApi } from "./Api.ts"
import { authorizePage, pressed } from "./authorizePage.ts"
import type { Call } from "./Call.ts"
import { expireHolds } from "./cancelPayment.ts"
import { control } from "./control.ts"
import { forgetOld } from "./forgetOld.ts"
import { newId } from "./ids.ts"
import { Ledger } from "./Ledger.ts"
import { errorAnswer, Refusal } from "./Refusal.ts"
import type { ReceivedRequest } from "./readForm.ts"

// The client takes longer to load than the rest of the stand-in: only signing loads it.
const signatureOf = async (secret: string, timestamp: number, payload: string): Promise<string> => {
  const { default: Stripe } = await import("stripe")
  return Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp })
}

/** How Stripe delivers its events, each signed at the time of the attempt. A receiver is the number of its webhook. */
const stripeChannel = (ledger: Ledger, webhooks: ReadonlyArray<Webhook>, now: () => number): Channel => ({
  givenUpMillis: 3 * 24 * 3600 * 1000,
  note: (id, outcome) => {
    const event = ledger.get("event", id)
    if (outcome !== "delivered" || event === undefined) return
    let pending_webhooks = 0
    for (const delivery of ledger.rows("delivery")) if (delivery.event === id) pending_webhooks += 1
    ledger.put("event", id, { ...event, pending_webhooks })
  },
  receiversOf: () => Object.keys(webhooks),
  messageTo: async (receiver, id) => {
    const webhook = webhooks[Number(receiver)]
    if (webhook === undefined) throw new Error("There is no such webhook.")
    const body = JSON.stringify(ledger.at("event", id))
    const headers = {
      "content-type": "application/json; charset=utf-8",
      "stripe-signature": await signatureOf(webhook.secret, Math.floor(now() / 1000), body)
    }
    return { url: webhook.url, headers, body }
  }
})

export interface StripeOptions extends Address {
  /** The key of its callers: `sk_test_...`. */
  readonly secretKey: string
  /** The receivers of events, each with the secret that signs them (`whsec_...`). Without them events are not delivered. */
  readonly webhooks?: ReadonlyArray<Webhook>
  /** The file of the ledger, which otherwise is in memory alone. */
  readonly file?: string
}

const expiryMillis = 60_000

const secretOf = (authorization = ""): string => {
  const [scheme = "", value = ""] = authorization.split(" ")
  if (/^bearer$/i.test(scheme)) return value
  return /^basic$/i.test(scheme) ? (Buffer.from(value, "base64").toString().split(":")[0] ?? "") : ""
}

const unauthorized = (key: string): Refusal =>
  new Refusal(401, {
    type: "invalid_request_error",
    message:
      key === ""
        ? "No API key is given: send it as 'Authorization: Bearer YOUR_SECRET_KEY'."
        : `The API key is not valid: ${key.slice(0, 8)}...${key.slice(-4)}`
  })

const refuse = (error: unknown): StandInAnswer => {
  const id = newId("req", 14)
  return { ...errorAnswer(error, id), headers: { "request-id": id } }
}

const page = (call: Call, { body, method, path }: Incoming): StandInAnswer => {
  const id = path.slice("/authorize/".length)
  if (method === "POST") {
    const result = new URLSearchParams(body).get("result")
    return { status: 303, body: "", headers: { location: call.ledger.transact(() => pressed(call, id, result)) } }
  }
  return { status: 200, body: authorizePage(call, id), headers: { "content-type": "text/html; charset=utf-8" } }
}

/**
 * Runs a stand-in for Stripe until the scope closes: the part of its API that this project uses, called by the official client,
 * with signed events. The paths under `/control`, with the same key, are for tests: see `stripeControl`.
 */
export const runStripe = Effect.fnUntraced(function* ({ file, host, port, secretKey, webhooks = [] }: StripeOptions) {
  const clock = yield* Clock.Clock
  const now = () => clock.currentTimeMillisUnsafe()
  const ledger = yield* openLedger(file, (kept) => new Ledger(kept))
  const standIn = new StandIn<ReceivedRequest>(new EventDeliveries(ledger, stripeChannel(ledger, webhooks, now), now))
  const callOf = (url: string, request: Call["request"] = { id: null, idempotency_key: null }): Call => ({
    ledger,
    now: Math.floor(now() / 1000),
    receivers: Object.keys(webhooks),
    url,
    request
  })
  const api = makeApi(ledger, standIn, callOf)

  let lastExpiry = 0
  // Every request expires holds, but at most once in a second: that looks at each of them.
  const expire = (url: string) => {
    const call = callOf(url)
    if (call.now !== lastExpiry) ledger.transact(() => expireHolds(call))
    lastExpiry = call.now
  }

  const isPage = (path: string) => path.startsWith("/authorize/")

  const requireKnown = ({ headers, path }: Head) => {
    const key = secretOf(headers.authorization)
    if (key !== secretKey && !isPage(path)) throw unauthorized(key)
  }

  const handle = async (incoming: Incoming): Promise<Reply> => {
    const { path, url } = incoming
    expire(url)
    if (isPage(path)) return page(callOf(url), incoming)
    if (!path.startsWith("/control/")) return api(incoming)
    return standIn.control(incoming, (operation, id, body) =>
      ledger.transact(() => control(callOf(url), operation, id, body))
    )
  }

  const { url } = yield* standIn.run({ name: "The stand-in for Stripe", host, port, requireKnown, handle, refuse })
  const passTime = () => {
    try {
      expire(url)
      forgetOld(ledger, Math.floor(now() / 1000))
    } catch {
      // What cannot be stored, for lack of room, is done later.
    }
    standIn.deliveries.wake()
  }
  const timer = setInterval(passTime, expiryMillis).unref()
  yield* Effect.addFinalizer(() => Effect.sync(() => clearInterval(timer)))
  passTime()
  return { url }
})
