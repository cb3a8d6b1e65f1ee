import { concurrentIndex } from "@care/service-kit"

/** The payments whose intents are not final, of each organization the one first that the gateway was asked for longest ago. */
export default concurrentIndex(
  "payments_open",
  `payments (organization_id, (coalesce(asked_at, created_at)), id)
   WHERE intent_id IS NOT NULL AND operation IS NULL AND status IN ('UNPAID', 'AUTHORIZED')`
)
