import { Job } from "@care/jobs"
import { Time } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import type { EventRow } from "../../calendar/index.ts"
import { AppointmentReminders } from "./AppointmentReminders.ts"
import { ReminderSettings } from "./ReminderSettings.ts"

/** The reminders of appointments. */
export class Reminders extends Context.Service<
  Reminders,
  {
    /**
     * Replaces the reminder of an appointment, inside the caller's transaction. An appointment that begins sooner than the reminder would
     * be sent has none, because its patient has just booked it.
     */
    readonly follow: (event: EventRow) => Effect.Effect<void>
  }
>()("@care/scheduling/reminders/Reminders") {
  static readonly layer = Layer.effect(
    Reminders,
    Effect.gen(function* () {
      const { before } = yield* ReminderSettings
      const cancelBySubject = yield* Job.makeCancelBySubject
      const reminders = yield* AppointmentReminders

      return Reminders.of({
        follow: Effect.fn("Reminders.follow")(function* ({ id: eventId, isDeleted, organizationId, startsAt }) {
          yield* cancelBySubject(organizationId, eventId)
          const until = DateTime.distance(yield* Time.now, DateTime.fromDateUnsafe(startsAt))
          const delay = Duration.subtract(until, before)
          if (isDeleted || !Duration.isPositive(delay)) return
          yield* reminders.offer({ organizationId, eventId, startsAt }, { delay })
        })
      })
    })
  ).pipe(Layer.provide(AppointmentReminders.layer))
}
