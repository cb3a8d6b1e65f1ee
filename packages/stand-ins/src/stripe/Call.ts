import type { Stripe } from "stripe"
import { newId } from "./ids.ts"
import type { Ledger } from "./Ledger.ts"
import type { EventObject, StripeEvent } from "./StripeEvent.ts"

/** The version of the API that the official client of this project speaks, and that events are written in. */
export const apiVersion: Stripe.LatestApiVersion = "2026-10-28.endive"

/** What an operation works with. */
export interface Call {
  readonly books: Ledger
  /** Now, in seconds. */
  readonly now: number
  /** Whether anybody is told of events. */
  readonly hasWebhook: boolean
  /** Where the stand-in listens. */
  readonly url: string
  /** The request that asked for it; without ids when nobody did. */
  readonly request: StripeEvent["request"]
}

const changedFrom = (before: EventObject, after: EventObject): Readonly<Record<string, unknown>> => {
  const now = new Map<string, unknown>(Object.entries(after))
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => JSON.stringify(now.get(name)) !== JSON.stringify(value))
  )
}

/** Records an event of a thing as it is now, and that it has to be told; of a change also what there was before. */
export const emit = (call: Call, type: StripeEvent["type"], object: EventObject, before?: EventObject): void => {
  const event: StripeEvent = {
    id: newId("evt"),
    object: "event",
    api_version: apiVersion,
    created: call.now,
    data: { object, ...(before && { previous_attributes: changedFrom(before, object) }) },
    livemode: false,
    pending_webhooks: call.hasWebhook ? 1 : 0,
    request: call.request,
    type
  }
  call.books.put("event", event.id, event)
  if (call.hasWebhook) {
    const since = call.now * 1000
    call.books.put("delivery", event.id, { event: event.id, attempts: 0, since, due: since })
  }
}

/** Now as a customer on a test clock sees it, in seconds. */
export const nowOf = ({ books, now }: Pick<Call, "books" | "now">, customer: string | null): number => {
  const clock = customer === null ? null : (books.get("customer", customer)?.test_clock ?? null)
  return clock === null ? now : (books.get("test_clock", clock)?.frozen_time ?? now)
}
