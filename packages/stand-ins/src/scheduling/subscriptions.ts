import { randomUUID } from "node:crypto"
import type { Webhook } from "../standIn/Deliveries.ts"
import type { Ledger } from "./Ledger.ts"
import { alreadyExists } from "./Refusal.ts"
import { eventKinds, type Subscription } from "./Subscription.ts"

const configuredId = "whs_configured"

type Asked = Pick<Subscription, "url" | "signingKey" | "events">

const withUrl = (books: Ledger, url: string) => books.all("subscription").find((one) => one.url === url)

const begun = (books: Ledger, id: string, asked: Asked, now: number): Subscription =>
  books.put("subscription", id, {
    ...asked,
    id,
    state: "active",
    retryStartedAt: null,
    createdAt: now,
    updatedAt: now
  })

const dropWaiting = (books: Ledger, id: string): void => {
  for (const { event } of books.all("delivery")) {
    if (books.get("event", event)?.subscription === id) books.remove("delivery", event)
  }
}

const change = (books: Ledger, id: string, changes: Partial<Subscription>): void => {
  const before = books.get("subscription", id)
  if (before !== undefined) books.put("subscription", id, { ...before, ...changes })
}

/** Registers a URL that has no subscription; one that is disabled counts. */
export const subscribe = (books: Ledger, asked: Asked, now: number): Subscription => {
  if (withUrl(books, asked.url) !== undefined) throw alreadyExists()
  return begun(books, randomUUID(), asked, now)
}

/** Registers who is to be told from the beginning, unless there is a subscription of theirs, in whichever state it is. */
export const subscribeConfigured = (books: Ledger, { secret: signingKey, url }: Webhook, now: number): void => {
  const known = withUrl(books, url)
  if (known?.signingKey === signingKey) return
  const events = eventKinds
  books.transact(() => begun(books, known?.id ?? configuredId, { url, signingKey, events }, now))
}

export const unsubscribe = (books: Ledger, id: string): void => {
  dropWaiting(books, id)
  books.remove("subscription", id)
}

/** What it was told, it did not take; or it does again. */
export const setFailing = (books: Ledger, id: string, isFailing: boolean, now: number): void => {
  const since = books.get("subscription", id)?.retryStartedAt ?? null
  if ((since !== null) !== isFailing) change(books, id, { retryStartedAt: isFailing ? now : null })
}

/** It did not take for too long what it was told: it is told nothing any more, and what waits for it is lost. */
export const disable = (books: Ledger, id: string, now: number): void => {
  dropWaiting(books, id)
  change(books, id, { state: "disabled", updatedAt: now })
}
