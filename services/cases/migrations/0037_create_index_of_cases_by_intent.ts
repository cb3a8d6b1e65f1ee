import { concurrentUniqueIndex } from "@care/service-kit"

/** Of cases that are created with one payment intent, also at once, the first has it. */
export default concurrentUniqueIndex(
  "cases_by_intent",
  "cases (organization_id, intent_id) WHERE intent_id IS NOT NULL"
)
