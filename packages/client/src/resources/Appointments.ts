import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf, QueryOf } from "./operationTypes.ts"

/** Appointments at the scheduling provider. */
export class Appointments {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Books an appointment at the scheduling provider.
   *
   * @example
   * ```ts
   * await care.appointments.book({
   *   eventTypeId: "et_demo_30min",
   *   startTime: slot,
   *   email: patientEmail,
   *   timezone: "America/New_York",
   *   location: "google_conference"
   * })
   * ```
   */
  book(body: BodyOf<"bookings.book">, options?: CallOptions): Promise<AnswerOf<"bookings.book">> {
    return this.#transport.send("bookings.book", { body }, options)
  }

  /**
   * Lists appointments, by time or by the email of a patient.
   *
   * @example
   * ```ts
   * const { data } = await care.appointments.list({ user_email: patientEmail })
   * console.log(data.length)
   * ```
   */
  list(query: QueryOf<"appointmentList.list"> = {}, options?: CallOptions): Promise<AnswerOf<"appointmentList.list">> {
    return this.#transport.send("appointmentList.list", { query }, options)
  }

  /**
   * Cancels an appointment.
   *
   * @example
   * ```ts
   * await care.appointments.cancel({ email: attendeeEmail, appointmentId, reason: "Cannot come" })
   * ```
   */
  cancel(body: BodyOf<"bookings.cancel">, options?: CallOptions): Promise<AnswerOf<"bookings.cancel">> {
    return this.#transport.send("bookings.cancel", { body }, options)
  }

  /**
   * Lists the open slots of a type of appointment.
   *
   * @example
   * ```ts
   * const start = new Date(Date.now() + 24 * 3600 * 1000)
   * const end = new Date(start.getTime() + 6 * 24 * 3600 * 1000)
   * const { data } = await care.appointments.openSlots({
   *   event_type_id: "et_demo_30min",
   *   start_time: start.toISOString(),
   *   end_time: end.toISOString()
   * })
   * console.log(data.length)
   * ```
   */
  openSlots(query: QueryOf<"availability.slots">, options?: CallOptions): Promise<AnswerOf<"availability.slots">> {
    return this.#transport.send("availability.slots", { query }, options)
  }
}
