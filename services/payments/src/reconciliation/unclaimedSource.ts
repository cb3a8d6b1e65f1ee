import type { SweepSource } from "@care/service"
import { DateTime, Effect, Option } from "effect"
import { statusOf } from "../payments/index.ts"
import { makeSweptPaymentsRepo, type UnclaimedIntent } from "./SweptPaymentsRepo.ts"

const [perOrganization, pageSize] = [20, 100]

// The patient pays before the partner creates the case, which exists by then.
const claimPeriod = { hours: 1 }

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
 * Makes a source that reports intents of organizations with authorized or captured money and no payment, each once in a sweep. None is
 * canceled, because a case may still name it, and an authorization expires by itself. The cursor is the start of the sweep.
 */
export const makeUnclaimedSource = Effect.map(
  makeSweptPaymentsRepo,
  (repo): SweepSource => ({
    name: "money-without-payment",
    page: Effect.fnUntraced(function* (cursor) {
      const now = yield* DateTime.now
      const startedAt = Option.getOrElse(DateTime.make(cursor ?? ""), () => now)
      const until = DateTime.toDateUtc(DateTime.subtract(now, claimPeriod))
      const found = yield* repo.findUnclaimed(DateTime.toDateUtc(startedAt), until, perOrganization, pageSize)
      const ids = found.map(({ id }) => id)
      yield* repo.markReported(ids, DateTime.toDateUtc(now))
      return {
        cursor: found.length === 0 ? "" : DateTime.formatIso(startedAt),
        isLast: found.length === 0,
        compared: found.length,
        differences: found.map(differenceOf)
      }
    })
  })
)
