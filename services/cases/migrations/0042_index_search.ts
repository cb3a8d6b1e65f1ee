import { concurrentIndex, OutsideTransaction } from "@care/service-kit"
import { Effect } from "effect"

/**
 * What an operator types to find a case: the beginning of a patient's name, whichever part comes first, and the pharmacy's id of an order.
 * Names are not sealed, as contacts are not, so an index of their hashes would hide nothing.
 */
export default new OutsideTransaction(
  Effect.forEach(
    [
      concurrentIndex(
        "people_by_name",
        "people (organization_id, lower(first_name || ' ' || last_name) text_pattern_ops) WHERE role = 'USER'"
      ),
      concurrentIndex(
        "people_by_last_name",
        "people (organization_id, lower(last_name || ' ' || first_name) text_pattern_ops) WHERE role = 'USER'"
      ),
      concurrentIndex(
        "orders_by_pharmacy_order",
        "orders (organization_id, pharmacy_order_id) WHERE pharmacy_order_id IS NOT NULL"
      )
    ],
    ({ change }) => change,
    { discard: true }
  )
)
