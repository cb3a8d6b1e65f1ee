import type { SweepSource, SweptPage } from "@care/service"
import { isTestMode, makeModes } from "@care/service-kit"
import { DateTime, Effect, Option } from "effect"
import { Payments } from "../payments/index.ts"
import { PaymentIntents, Stripe } from "../stripe/index.ts"
import { makeSweptPaymentsRepo, type OpenPayment } from "./SweptPaymentsRepo.ts"

const [perOrganization, pageSize] = [5, 20]

// Changes come by events, so an intent is compared only once a day. A payment of the maximum age is compared for the last time.
const [interval, maxAge] = [{ days: 1 }, { days: 60 }]

/** Makes a source that compares payments with their intents while these are not final, in case Stripe does not list a lost event any more. */
export const makeOpenPaymentsSource = Effect.gen(function* () {
  const intents = yield* PaymentIntents
  const modes = yield* makeModes
  const payments = yield* Payments
  const repo = yield* makeSweptPaymentsRepo
  const { hasTestAccount } = yield* Stripe

  const compare = Effect.fnUntraced(function* (
    open: OpenPayment,
    oldest: Date
  ): Effect.fn.Return<SweptPage["differences"]> {
    const { id, intentId, organizationId } = open
    if (!hasTestAccount && (yield* isTestMode)) {
      yield* repo.markAsked(open, yield* DateTime.nowAsDate, oldest)
      return []
    }
    const current = yield* Effect.option(
      Effect.catchIf(
        intents.find(organizationId, intentId),
        ({ code }) => code !== "resource_missing",
        (refusal) => Effect.die(refusal)
      )
    )
    const observed = Option.isNone(current) ? Option.none() : yield* payments.observe(current.value.update)
    yield* repo.markAsked(open, yield* DateTime.nowAsDate, oldest)
    if (Option.isNone(current)) {
      return [{ action: "REPORTED", what: "Stripe does not know the intent of a payment", id, organizationId }]
    }
    if (!Option.exists(observed, ({ isChanged }) => isChanged)) return []
    return [{ action: "REPAIRED", what: "A payment was not where its intent is at Stripe", id, organizationId }]
  })

  const source: SweepSource = {
    name: "open-payments",
    page: Effect.fnUntraced(function* () {
      const now = yield* DateTime.now
      const [oldest, until] = [
        DateTime.toDateUtc(DateTime.subtract(now, maxAge)),
        DateTime.toDateUtc(DateTime.subtract(now, interval))
      ]
      const open = yield* repo.findOpen(oldest, until, perOrganization, pageSize)
      const differences = yield* Effect.forEach(
        open,
        (payment) => modes.workFor(payment.organizationId, compare(payment, oldest)),
        { concurrency: 4 }
      )
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
