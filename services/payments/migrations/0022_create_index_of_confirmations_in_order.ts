import { concurrentUniqueIndex } from "@care/service-kit"

/** What was told of a payment, in order. */
export default concurrentUniqueIndex(
  "payment_confirmations_in_order",
  "payment_confirmations (organization_id, payment_id, ordinal)"
)
