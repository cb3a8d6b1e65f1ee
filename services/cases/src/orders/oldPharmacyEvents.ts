import type { OldRows } from "@care/service-kit"
import { Duration } from "effect"

const age = "90 days"

/** Events of the pharmacy that are not sent again any more. */
export const oldPharmacyEvents: OldRows = { table: "pharmacy_events", since: "received_at", age }

/**
 * How old an event of the pharmacy may be to be taken for new because its id is not known: ids are kept from when it came, which may be
 * some minutes before the time that it says.
 */
export const longestUnknown = Duration.subtract(Duration.fromInputUnsafe(age), Duration.days(1))
