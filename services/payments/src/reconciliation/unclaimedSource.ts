import type { SweepSource } from "@care/service"
import { DateTime, Effect, Option } from "effect"
import { statusOf } from "../payments/index.ts"
import { makeSweptPaymentsRepo, type UnclaimedIntent } from "./SweptPaymentsRepo.ts"

const [ofEach, most] = [20, 100]

// A patient pays first, and then the partner makes the case: until it must be there.
const longestClaim = { hours: 1 }

const differenceOf = ({ state, id, organizationId }: UnclaimedIntent) => ({
  action: "REPORTED" as const,
  what:
    statusOf(state) === "AUTHORIZED"
      ? "Stripe holds money for an intent that pays nothing here"
      : "Stripe took money for an intent that pays nothing here",
  id,
  organizationId
})

/**
 * The intents of our organizations that hold or took money, and pay nothing here: reported for as long as that is so, each once from
 * when the first page began to when none is left, the organizations by turns. None is canceled: a case may yet name it, and a
 * hold ends by itself.
 */
export const makeUnclaimedSource = Effect.map(
  makeSweptPaymentsRepo,
  (repo): SweepSource => ({
    name: "money-without-payment",
    page: Effect.fnUntraced(function* (cursor) {
      const now = yield* DateTime.now
      const began = Option.getOrElse(DateTime.make(cursor ?? ""), () => now)
      const until = DateTime.toDateUtc(DateTime.subtract(now, longestClaim))
      const found = yield* repo.unclaimed(DateTime.toDateUtc(began), until, ofEach, most)
      const ids = found.map(({ id }) => id)
      yield* repo.reported(ids, DateTime.toDateUtc(now))
      return {
        cursor: found.length === 0 ? "" : DateTime.formatIso(began),
        isLast: found.length === 0,
        compared: found.length,
        differences: found.map(differenceOf)
      }
    })
  })
)
