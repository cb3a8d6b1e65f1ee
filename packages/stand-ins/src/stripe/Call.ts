import type { Stripe } from "stripe"
import { addDelivery } from "../standIn/EventDeliveries.ts"
import { newId } from "./ids.ts"
import type { Kind, Ledger, Rows } from "./Ledger.ts"
import type { EventObject, StripeEvent } from "./objects.ts"

/** The version of the API that this project's official client speaks. Events are written in it. */
export const eventApiVersion: Stripe.LatestApiVersion = "2026-10-28.endive"

/** The context of an operation. */
export interface Call {
  readonly ledger: Ledger
  /** Now, in seconds. */
  readonly now: number
  /** The receivers of events. */
  readonly receivers: ReadonlyArray<string>
  /** The URL that the stand-in listens on. */
  readonly url: string
  /** The request that caused the operation; its ids are null when the stand-in acts by itself. */
  readonly request: StripeEvent["request"]
}

const changedFrom = (before: EventObject, after: EventObject): Readonly<Record<string, unknown>> => {
  const now = new Map<string, unknown>(Object.entries(after))
  return Object.fromEntries(
    Object.entries(before).filter(([name, value]) => JSON.stringify(now.get(name)) !== JSON.stringify(value))
  )
}

/** Stores an event of an object, and its deliveries. The event of a change also has the values before it. */
export const emit = (call: Call, type: StripeEvent["type"], object: EventObject, before?: EventObject): void => {
  const event: StripeEvent = {
    id: newId("evt"),
    object: "event",
    api_version: eventApiVersion,
    created: call.now,
    data: { object, ...(before && { previous_attributes: changedFrom(before, object) }) },
    livemode: false,
    pending_webhooks: call.receivers.length,
    request: call.request,
    type
  }
  call.ledger.put("event", event.id, event)
  for (const receiver of call.receivers) addDelivery(call.ledger, event.id, receiver, call.now * 1000)
}

/** Stores an object and an event of it, and returns the object. */
export const putWithEvent = <K extends Kind>(
  call: Call,
  kind: K,
  type: StripeEvent["type"],
  object: Rows[K],
  before?: Rows[K]
): Rows[K] => {
  call.ledger.put(kind, object.id, object)
  emit(call, type, object, before)
  return object
}

/** Returns a customer's time in seconds: that of their test clock, if they have one. */
export const nowOf = ({ ledger, now }: Pick<Call, "ledger" | "now">, customer: string | null): number => {
  const clock = customer === null ? null : (ledger.get("customer", customer)?.test_clock ?? null)
  return clock === null ? now : (ledger.get("test_clock", clock)?.frozen_time ?? now)
}

/** Returns the id of a customer whom a parameter names; refuses one who does not exist. */
export const customerNamed = ({ ledger }: Call, id: string | null | undefined): string | null =>
  id === undefined || id === null ? null : ledger.named("customer", id).id
