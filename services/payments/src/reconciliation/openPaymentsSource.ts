import type { SweepSource, SweptPage } from "@care/service"
import { DateTime, Effect, Option } from "effect"
import { Payments } from "../payments/index.ts"
import { PaymentIntents } from "../stripe/index.ts"
import { makeSweptPaymentsRepo, type OpenPayment } from "./SweptPaymentsRepo.ts"

const [ofEach, most] = [5, 20]

// Events tell what changes, so an intent is asked for once a day; one that nobody paid for so long has ended, and is asked for
// once more.
const [every, longest] = [{ days: 1 }, { days: 60 }]

/** The payments whose intents are not final, of which an event may have been lost that Stripe does not show any more. */
export const makeOpenPaymentsSource = Effect.gen(function* () {
  const intents = yield* PaymentIntents
  const payments = yield* Payments
  const repo = yield* makeSweptPaymentsRepo

  const compare = Effect.fnUntraced(function* (
    open: OpenPayment,
    oldest: Date
  ): Effect.fn.Return<SweptPage["differences"]> {
    const { id, intentId, organizationId } = open
    const now = yield* Effect.option(
      Effect.catchIf(
        intents.find(organizationId, intentId),
        ({ code }) => code !== "resource_missing",
        (refusal) => Effect.die(refusal)
      )
    )
    const seen = Option.isNone(now) ? Option.none() : yield* payments.observe(now.value.update)
    yield* repo.asked(open, yield* DateTime.nowAsDate, oldest)
    if (Option.isNone(now)) {
      return [{ action: "REPORTED", what: "Stripe does not know the intent of a payment", id, organizationId }]
    }
    if (!Option.exists(seen, ({ isChanged }) => isChanged)) return []
    return [{ action: "REPAIRED", what: "A payment was not where its intent is at Stripe", id, organizationId }]
  })

  const source: SweepSource = {
    name: "open-payments",
    page: Effect.fnUntraced(function* () {
      const now = yield* DateTime.now
      const [oldest, until] = [
        DateTime.toDateUtc(DateTime.subtract(now, longest)),
        DateTime.toDateUtc(DateTime.subtract(now, every))
      ]
      const open = yield* repo.open(oldest, until, ofEach, most)
      const differences = yield* Effect.forEach(open, (payment) => compare(payment, oldest), { concurrency: 4 })
      return {
        cursor: DateTime.formatIso(now),
        isLast: open.length === 0,
        compared: open.length,
        differences: differences.flat()
      }
    })
  }
  return source
})
