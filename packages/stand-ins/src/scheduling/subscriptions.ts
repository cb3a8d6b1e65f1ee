import { randomUUID } from "node:crypto"
import { dropDeliveries, type Webhook } from "../standIn/EventDeliveries.ts"
import type { Ledger } from "./Ledger.ts"
import { alreadyExists } from "./Refusal.ts"
import { eventKinds, type Subscription } from "./Subscription.ts"

const configuredId = (index: number): string => (index === 0 ? "whs_configured" : `whs_configured_${index + 1}`)

type NewSubscription = Pick<Subscription, "url" | "signingKey" | "events">

const withUrl = (ledger: Ledger, url: string) =>
  ledger.all("subscription").find((subscription) => subscription.url === url)

const store = (ledger: Ledger, id: string, request: NewSubscription, now: number): Subscription =>
  ledger.put("subscription", id, {
    ...request,
    id,
    state: "active",
    retryStartedAt: null,
    createdAt: now,
    updatedAt: now
  })

const change = (ledger: Ledger, id: string, changes: Partial<Subscription>): void => {
  const current = ledger.get("subscription", id)
  if (current !== undefined) ledger.put("subscription", id, { ...current, ...changes })
}

/** Registers a URL that has no subscription, not even a disabled one. */
export const subscribe = (ledger: Ledger, request: NewSubscription, now: number): Subscription => {
  if (withUrl(ledger, request.url) !== undefined) throw alreadyExists()
  return store(ledger, randomUUID(), request, now)
}

/** Registers the configured webhooks, unless they have subscriptions in any state. */
export const subscribeConfigured = (ledger: Ledger, webhooks: ReadonlyArray<Webhook>, now: number): void => {
  for (const [index, { secret: signingKey, url }] of webhooks.entries()) {
    const existing = withUrl(ledger, url)
    if (existing?.signingKey === signingKey) continue
    const events = eventKinds
    ledger.transact(() => store(ledger, existing?.id ?? configuredId(index), { url, signingKey, events }, now))
  }
}

export const unsubscribe = (ledger: Ledger, id: string): void => {
  dropDeliveries(ledger, id)
  ledger.remove("subscription", id)
}

/** Notes whether deliveries to a subscription fail. */
export const setFailing = (ledger: Ledger, id: string, isFailing: boolean, now: number): void => {
  const since = ledger.get("subscription", id)?.retryStartedAt ?? null
  if ((since !== null) !== isFailing) change(ledger, id, { retryStartedAt: isFailing ? now : null })
}

/** Disables a subscription, and drops its deliveries. */
export const disable = (ledger: Ledger, id: string, now: number): void => {
  dropDeliveries(ledger, id)
  change(ledger, id, { state: "disabled", updatedAt: now })
}
