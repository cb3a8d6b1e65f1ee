import { concurrentUniqueIndex } from "@care/service-kit"

/** What tells a payment from another one, by what was told of it first. */
export default concurrentUniqueIndex(
  "payment_confirmations_first",
  `payment_confirmations (organization_id, case_id, payment_date, amount, decision_id) NULLS NOT DISTINCT
   WHERE ordinal = 1`
)
