import { concurrentIndex, OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"

/** The lists of the catalogue: what is archived, or what is not, oldest first. */
export default new OutsideTransaction(
  Effect.forEach(
    [
      concurrentIndex("products_listed", "products (organization_id, is_archived, created_at, id)"),
      concurrentIndex("forms_listed", "forms (organization_id, is_active, created_at, id)"),
      concurrentIndex("bundles_listed", "bundles (organization_id, is_archived, created_at, id)")
    ],
    ({ change }) => change,
    { discard: true }
  )
)
