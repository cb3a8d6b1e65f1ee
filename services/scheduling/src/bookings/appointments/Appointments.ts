import { AppointmentCancelled } from "@care/domain/scheduling"
import { inTransaction } from "@care/service-kit"
import { Context, Data, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents, type EventRow } from "../../calendar/index.ts"
import { MeetingLinks } from "../meetingLinks/MeetingLinks.ts"
import type { MeetingReport } from "../providerEvents/MeetingReport.ts"
import { type MeetingUpdate, meetingUpdateOf, timesOf } from "../providerEvents/MeetingUpdate.ts"
import { makeProviderEventsRepo } from "../providerEvents/ProviderEventsRepo.ts"
import { Reminders } from "../reminders/Reminders.ts"
import { providerAgent } from "./providerAgent.ts"

/** The meeting at the provider is another appointment. */
export class MeetingTaken extends Data.TaggedError("MeetingTaken") {}

type Key = Pick<EventRow, "organizationId" | "id">

/** Appointments that are kept at the scheduling provider: how they begin, move and end here, and who is reminded of them. */
export class Appointments extends Context.Service<
  Appointments,
  {
    /**
     * Stores an appointment, with what the provider has told of it by now. The same again is the first; a meeting that is
     * another one, whoever's, is not two.
     */
    readonly add: (event: EventRow) => Effect.Effect<void, MeetingTaken>
    /** Cancels an appointment: of several at once the first, and the others are refused. */
    readonly end: (key: Key, cancellation: EventRow["cancellation"]) => Effect.Effect<void, AppointmentCancelled>
    /** Takes in what the provider told, once: false, and nothing is changed, when it told that before. */
    readonly observe: (told: MeetingReport, reportedAt: Date) => Effect.Effect<boolean>
  }
>()("@care/scheduling/appointments/Appointments") {
  static readonly layer = Layer.effect(
    Appointments,
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const links = yield* MeetingLinks
      const reminders = yield* Reminders
      const sql = yield* SqlClient.SqlClient
      const told = yield* makeProviderEventsRepo

      // What was to be done for the appointment as it was before is not done any more.
      const follow = Effect.fnUntraced(function* (event: EventRow) {
        yield* reminders.follow(event)
        const { agentEventId, id: eventId, isDeleted, meetingLink, organizationId } = event
        if (agentEventId === null || isDeleted || meetingLink !== null) return
        yield* links.offer({ organizationId, eventId, agentEventId }, { delay: MeetingLinks.delay })
      })

      const change = Effect.fnUntraced(function* ({ id, organizationId }: Key, facts: Partial<EventRow>) {
        const updatedAt = yield* DateTime.nowAsDate
        const event = yield* events
          .change(organizationId, id, (before) =>
            before.isDeleted ? new AppointmentCancelled() : Effect.succeed({ ...before, ...facts, updatedAt })
          )
          .pipe(Effect.catchTag("CalendarEventNotFound", Effect.die))
        yield* follow(event)
      })

      const end = (key: Key, cancellation: EventRow["cancellation"], reportedAt?: Date) =>
        change(key, {
          status: "CANCELLED",
          isDeleted: true,
          cancellation,
          ...(reportedAt !== undefined && { reportedAt })
        })

      // What was told of a meeting before it was known counts once it is, and is not kept any longer.
      const catchUp = (agentEventId: string): Effect.Effect<void> =>
        Effect.flatMap(told.ofEnd(agentEventId), (rows) =>
          Effect.forEach(rows, (row) => Effect.andThen(told.taken(row), take(meetingUpdateOf(row), row.reportedAt)), {
            discard: true
          })
        )

      // The meeting that news change. To others they are no news: it is booked, or the one in its place is told of.
      const changed = (update: MeetingUpdate): string | null => {
        if (update.type === "invitee.created") return update.movedFrom
        return update.isMoved ? null : update.agentEventId
      }

      const ownerOf = (agentEventId: string | null) =>
        agentEventId === null ? Effect.succeedNone : events.findOfAgent(providerAgent, agentEventId)

      // One that is cancelled stays as it is.
      const take = Effect.fnUntraced(function* (update: MeetingUpdate, reportedAt: Date): Effect.fn.Return<void> {
        const owner = yield* ownerOf(changed(update))
        if (Option.isNone(owner)) return
        if (update.type === "invitee.created") {
          const { timezone, ...meeting } = update.meeting
          yield* Effect.ignore(change(owner.value, { ...meeting, ...(timezone !== null && { timezone }), reportedAt }))
          yield* catchUp(update.agentEventId)
        } else {
          const { canceledBy, reason } = update
          yield* Effect.ignore(end(owner.value, { canceledBy, reason }, reportedAt))
        }
      })

      return Appointments.of({
        add: Effect.fn("Appointments.add")(function* (event) {
          const { agentEventId, id } = event
          yield* told.inTurn
          const owner = yield* ownerOf(agentEventId)
          if (Option.exists(owner, (known) => known.id !== id)) return yield* new MeetingTaken()
          yield* events.add(event)
          // One that the provider does not have is a test: nobody is reminded of it.
          if (agentEventId === null) return
          yield* follow(event)
          yield* catchUp(agentEventId)
        }, inTransaction(sql)),

        end: Effect.fn("Appointments.end")((key, cancellation) => inTransaction(sql)(end(key, cancellation))),

        observe: Effect.fn("Appointments.observe")(function* (update, reportedAt) {
          yield* told.inTurn
          const { agentEventId, type } = update
          const receivedAt = yield* DateTime.nowAsDate
          const awaited = changed(update)
          const isAwaited = awaited !== null && Option.isNone(yield* ownerOf(awaited))
          const movedFrom = update.type === "invitee.created" ? update.movedFrom : null
          const kept = { agentEventId, type, movedFrom, ...timesOf(isAwaited ? update : undefined) }
          const isNew = yield* told.insert({ ...kept, isAwaited, reportedAt, receivedAt })
          if (isNew) yield* take(update, reportedAt)
          return isNew
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([MeetingLinks.layer, Reminders.layer]))
}
