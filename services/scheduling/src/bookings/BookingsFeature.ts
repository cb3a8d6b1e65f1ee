import { Effect, Layer } from "effect"
import { BookingSettling } from "./BookingSettling.ts"
import { Bookings } from "./Bookings.ts"
import { CancellationSettling } from "./cancellations/CancellationSettling.ts"
import { Cancellations } from "./cancellations/Cancellations.ts"
import { BookingsHandlers } from "./http.ts"
import { NewAppointments } from "./NewAppointments.ts"
import { AppointmentSimulations } from "./simulations/AppointmentSimulations.ts"
import { AppointmentSimulationsHandlers } from "./simulations/http.ts"

/** Booking and cancelling appointments at the scheduling provider, with the jobs that settle unknown outcomes. */
export const BookingsFeature = Layer.mergeAll(
  AppointmentSimulationsHandlers.pipe(Layer.provide(AppointmentSimulations.layer)),
  BookingsHandlers.pipe(Layer.provide([NewAppointments.layer, Cancellations.layer])),
  BookingSettling.worker(Effect.map(Bookings, ({ settle }) => settle)).pipe(Layer.provide(Bookings.layer)),
  CancellationSettling.worker(Effect.map(Cancellations, ({ settle }) => settle)).pipe(
    Layer.provide(Cancellations.layer)
  )
)
