import type { ProviderEvent } from "@care/domain/scheduling"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Appointments } from "../appointments/Appointments.ts"
import { Bookings } from "../Bookings.ts"
import { isOfSharedMeeting, meetingEvents, meetingReportOf } from "./meetingReportOf.ts"

/** What the scheduling provider tells. */
export class ProviderEvents extends Context.Service<
  ProviderEvents,
  {
    /**
     * Takes in an event that the provider signed. One that came before changes nothing. Of a meeting that is nobody's yet, it is
     * found out whether it is what one of us asked for, and was not answered.
     */
    readonly receive: (event: ProviderEvent) => Effect.Effect<void>
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
          if (isOfSharedMeeting(event)) return
          const told = Option.getOrUndefined(meetingReportOf(event))
          if (told === undefined) {
            // Nobody tells of it again: somebody has to look at the provider's page.
            const isOfMeeting = meetingEvents.includes(event.event)
            return yield* isOfMeeting
              ? Effect.logWarning(`An ${event.event} of the scheduling provider cannot be read: ask it what changed`)
              : Effect.void
          }
          const isNew = yield* appointments.observe(told, event.created_at)
          if (!isNew || told.type !== "invitee.created") return
          yield* bookings.settleSoon({ ...told, startsAt: told.meeting.startsAt })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([Appointments.layer, Bookings.layer]))
}
