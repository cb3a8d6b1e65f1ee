import type { SweepSource } from "@care/service-kit"
import { DateTime, Effect } from "effect"
import { statusOf } from "../payments/paymentState.ts"
import { makeSweptPaymentsRepo, type UnclaimedIntent } from "./SweptPaymentsRepo.ts"

const [organizations, ofEach] = [20, 20]

// Before all of them.
const first = "00000000-0000-0000-0000-000000000000"

// A patient pays first, and then the partner makes the case: until it must be there.
const longestClaim = { hours: 1 }

const differenceOf = ({ facts, id, organizationId }: UnclaimedIntent) => ({
  action: "REPORTED" as const,
  what:
    statusOf(facts) === "AUTHORIZED"
      ? "Stripe holds money for an intent that pays nothing here"
      : "Stripe took money for an intent that pays nothing here",
  id,
  organizationId
})

/**
 * The intents of our organizations that hold or took money, and pay nothing here: reported for as long as that is so. None is
 * canceled: a case may yet name it, and a hold ends by itself.
 */
export const makeUnclaimedSource = Effect.map(
  makeSweptPaymentsRepo,
  (repo): SweepSource => ({
    name: "money-without-payment",
    page: Effect.fnUntraced(function* (cursor = first) {
      const until = DateTime.toDateUtc(DateTime.subtract(yield* DateTime.now, longestClaim))
      const rows = yield* repo.unclaimed(cursor, until, organizations, ofEach)
      const last = rows.at(-1)
      const found = rows.filter((row) => row.id !== null)
      return {
        cursor: last?.organizationId ?? first,
        isLast: last === undefined,
        compared: found.length,
        differences: found.map(differenceOf)
      }
    })
  })
)
