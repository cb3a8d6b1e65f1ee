import type { OldRows } from "@care/service-kit"
import { Duration } from "effect"

const age = "90 days"

/** The stored ids of pharmacy events, which are deleted once the pharmacy does not repeat the events any more. */
export const oldPharmacyEvents: OldRows = {
  table: "pharmacy_events",
  key: ["organization_id", "event_id"],
  since: "received_at",
  age
}

/**
 * The greatest age at which an event without a stored id counts as new. It is below the age at which ids are deleted, because an event
 * may arrive some minutes before its own timestamp.
 */
export const maxUnknownAge = Duration.subtract(Duration.fromInputUnsafe(age), Duration.days(1))
