import { concurrentIndex } from "@care/service-kit"

/** The intents of an organization: a reset of a sandbox removes its own. */
export default concurrentIndex(
  "payment_intents_of_organization",
  "payment_intents (organization_id) WHERE organization_id IS NOT NULL"
)
