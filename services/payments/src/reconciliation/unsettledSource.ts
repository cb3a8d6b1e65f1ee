import { PaymentId } from "@care/domain/ids"
import type { SweepSource, SweptPage } from "@care/service"
import { safeCause } from "@care/service-kit"
import { DateTime, Effect, Option, Schema } from "effect"
import { makeSettleOperation } from "../payments/index.ts"
import { makeSweptPaymentsRepo, type UnsettledOperation } from "./SweptPaymentsRepo.ts"

const most = 20

// Its job is tried for three days, and the last time up to an hour later.
const longestTried = { days: 3, hours: 2 }

const Position = Schema.fromJsonString(Schema.Struct({ since: Schema.Date, paymentId: PaymentId }))
const decodePosition = Schema.decodeUnknownOption(Position)
const encodePosition = Schema.encodeSync(Position)

const first = { since: new Date(0), paymentId: PaymentId.make("00000000-0000-0000-0000-000000000000") }

/** The operations of which nobody knows what became though their jobs are tried no more: settled by what the gateway says. */
export const makeUnsettledSource = Effect.gen(function* () {
  const repo = yield* makeSweptPaymentsRepo
  const settle = yield* makeSettleOperation

  const compare = ({ since: _, ...key }: UnsettledOperation): Effect.Effect<SweptPage["differences"][number]> => {
    const found = { id: key.paymentId, organizationId: key.organizationId }
    return settle(key).pipe(
      Effect.as({ action: "REPAIRED" as const, what: "An operation of a payment was not settled", ...found }),
      Effect.catchCause((cause) =>
        Effect.as(Effect.logWarning("An operation of a payment is not settled", safeCause(cause)), {
          action: "REPORTED" as const,
          what: "An operation of a payment cannot be settled",
          ...found
        })
      )
    )
  }

  const source: SweepSource = {
    name: "unsettled-operations",
    page: Effect.fnUntraced(function* (cursor) {
      const after = Option.getOrElse(decodePosition(cursor), () => first)
      const until = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, longestTried))
      const operations = yield* repo.unsettled(after, until, most)
      const differences = yield* Effect.forEach(operations, compare, { concurrency: 4 })
      const last = operations.at(-1)
      return {
        cursor: last === undefined ? "" : encodePosition(last),
        isLast: last === undefined,
        compared: operations.length,
        differences
      }
    })
  }
  return source
})
