import { concurrentIndex } from "@care/service-kit"

/** The promo codes of no organization, in the operator's list. */
export default concurrentIndex("promo_codes_global", "promo_codes (created_at, id) WHERE organization_id IS NULL")
