import { concurrentIndex } from "@care/service-kit"

/** The intents with money that pay nothing here, of each organization those first that were never reported, or longest ago. */
export default concurrentIndex(
  "payment_intents_reported",
  `payment_intents (organization_id, (coalesce(reported_at, '-infinity'::timestamptz)), unclaimed_since, id)
   WHERE unclaimed_since IS NOT NULL`
)
