import { Effect, Layer } from "effect"
import { BookingSettling } from "./BookingSettling.ts"
import { Bookings } from "./Bookings.ts"
import { CancellationSettling } from "./cancellations/CancellationSettling.ts"
import { Cancellations } from "./cancellations/Cancellations.ts"
import { BookingsHandlers } from "./http.ts"
import { NewAppointments } from "./NewAppointments.ts"

/** Appointments that partners book and call off at the scheduling provider, and what is found out of them later. */
export const BookingsFeature = Layer.mergeAll(
  BookingsHandlers.pipe(Layer.provide([NewAppointments.layer, Cancellations.layer])),
  BookingSettling.worker(Effect.map(Bookings, ({ settle }) => settle)).pipe(Layer.provide(Bookings.layer)),
  CancellationSettling.worker(Effect.map(Cancellations, ({ settle }) => settle)).pipe(
    Layer.provide(Cancellations.layer)
  )
)
