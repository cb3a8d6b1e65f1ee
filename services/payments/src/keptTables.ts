import type { KeptTables } from "@care/service"

/** A sandbox keeps its promo codes, as if none had been redeemed. */
export const keptTables: KeptTables = {
  promo_code_terms: {},
  promo_codes: { changed: { set: "redemptions = 0", where: "redemptions > 0" } }
}
