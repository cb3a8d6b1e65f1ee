import { type Booking, eventIdOf, typeOf } from "./Booking.ts"
import type { Ledger } from "./Ledger.ts"

/** Returns all bookings of a booking's scheduled event, the first one first. */
export const membersOf = ({ ledger }: { readonly ledger: Ledger }, booking: Booking): ReadonlyArray<Booking> =>
  typeOf(booking).capacity === 1
    ? [booking]
    : ledger
        .all("booking")
        .filter((candidate) => eventIdOf(candidate) === eventIdOf(booking))
        .reverse()
