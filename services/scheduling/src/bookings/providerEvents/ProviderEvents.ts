import type { ProviderEvent } from "@care/domain/scheduling"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Appointments } from "../appointments/Appointments.ts"
import { Bookings } from "../Bookings.ts"
import { isOfSharedMeeting, meetingEvents, meetingReportOf } from "./meetingReportOf.ts"

/** The webhook events of the scheduling provider. */
export class ProviderEvents extends Context.Service<
  ProviderEvents,
  {
    /**
     * Applies a signed event; a repeated one changes nothing. A new meeting starts the jobs that settle its invitee's bookings of unknown
     * outcome. Returns whether it waits, because no appointment has its meeting.
     */
    readonly receive: (event: ProviderEvent) => Effect.Effect<boolean>
  }
>()("@care/scheduling/providerEvents/ProviderEvents") {
  static readonly layer = Layer.effect(
    ProviderEvents,
    Effect.gen(function* () {
      const appointments = yield* Appointments
      const bookings = yield* Bookings
      const sql = yield* SqlClient.SqlClient

      return ProviderEvents.of({
        receive: Effect.fn("ProviderEvents.receive")(function* (event) {
          if (isOfSharedMeeting(event)) return false
          const report = Option.getOrUndefined(meetingReportOf(event))
          if (report === undefined) {
            // The provider does not repeat it, so an operator has to look at the provider's own page.
            const isOfMeeting = meetingEvents.includes(event.event)
            if (isOfMeeting) {
              yield* Effect.logWarning(
                `An ${event.event} of the scheduling provider cannot be read: ask it what changed`
              )
            }
            return false
          }
          const { isAwaited, isNew } = yield* appointments.observe(report, event.created_at)
          if (isNew && report.type === "invitee.created") {
            const { email, eventTypeId, meeting } = report
            yield* bookings.settleSoon({ email, eventTypeId, startsAt: meeting.startsAt })
          }
          return isAwaited
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([Appointments.layer, Bookings.layer]))
}
