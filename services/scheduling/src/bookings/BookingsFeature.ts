import { Layer } from "effect"
import { Bookings } from "./Bookings.ts"
import { Cancellations } from "./cancellations/Cancellations.ts"
import { layerCancellationSettling } from "./cancellations/layerCancellationSettling.ts"
import { BookingsHandlers } from "./http.ts"
import { layerBookingSettling } from "./layerBookingSettling.ts"
import { NewAppointments } from "./NewAppointments.ts"

/** Appointments that partners book and call off at the scheduling provider, and what is found out of them later. */
export const BookingsFeature = Layer.mergeAll(
  BookingsHandlers.pipe(Layer.provide([NewAppointments.layer, Cancellations.layer])),
  layerBookingSettling.pipe(Layer.provide(Bookings.layer)),
  layerCancellationSettling.pipe(Layer.provide(Cancellations.layer))
)
