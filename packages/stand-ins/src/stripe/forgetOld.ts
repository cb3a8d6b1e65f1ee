import { keptSeconds } from "./IdempotencyKeys.ts"
import type { Ledger } from "./Ledger.ts"

const eventSeconds = 30 * 24 * 3600

// So that the process of a busy sandbox needs no more memory from day to day.
const mostAnswers = 10_000
const mostEvents = 20_000

/**
 * Removes stored answers after 24 hours, and events after 30 days, as Stripe does; and before that the oldest of more than a process has
 * room for, but for events that are not delivered.
 */
export const forgetOld = (ledger: Ledger, now: number): void =>
  ledger.transact(() => {
    let answers = ledger.count("kept_answer")
    ledger.removeWhere("kept_answer", ({ created }) => answers-- > mostAnswers || created + keptSeconds < now)
    let events = ledger.count("event")
    ledger.removeWhere("event", ({ created, pending_webhooks }) => {
      const isForgotten = created + eventSeconds < now || (events > mostEvents && pending_webhooks === 0)
      if (isForgotten) events -= 1
      return isForgotten
    })
  })
