import { AppointmentCancelled } from "@care/domain/scheduling"
import { inTransaction, isTestMode, makeModes, Time } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents, type EventRow } from "../../calendar/index.ts"
import { MeetingLinks } from "../meetingLinks/MeetingLinks.ts"
import type { MeetingReport } from "../providerEvents/MeetingReport.ts"
import { type MeetingUpdate, meetingUpdateOf, timesOf } from "../providerEvents/MeetingUpdate.ts"
import { makeProviderEventsRepo } from "../providerEvents/ProviderEventsRepo.ts"
import { Reminders } from "../reminders/Reminders.ts"
import { providerAgent } from "./providerAgent.ts"

/** The meeting at the provider belongs to another appointment. */
export class MeetingTaken extends Data.TaggedError("MeetingTaken") {}

type Key = Pick<EventRow, "organizationId" | "id">

/** The appointments at the scheduling provider: how they are stored, moved and cancelled here, with their jobs. */
export class Appointments extends Context.Service<
  Appointments,
  {
    /**
     * Stores an appointment, and applies what the provider has reported of its meeting so far. Idempotent by its id. Fails when the
     * meeting belongs to another appointment, of any organization.
     */
    readonly add: (event: EventRow) => Effect.Effect<void, MeetingTaken>
    /** Cancels an appointment. Of several concurrent cancellations the first one succeeds. */
    readonly cancel: (key: Key, cancellation: EventRow["cancellation"]) => Effect.Effect<void, AppointmentCancelled>
    /**
     * Applies a report of the provider; a repeated one changes nothing, nor does one of the account of sandboxes about a live organization's
     * meeting, or the other way round. Returns whether it is new, and whether it waits, because no
     * appointment has its meeting.
     */
    readonly observe: (
      report: MeetingReport,
      reportedAt: Date
    ) => Effect.Effect<{ readonly isNew: boolean; readonly isAwaited: boolean }>
  }
>()("@care/scheduling/appointments/Appointments") {
  static readonly layer = Layer.effect(
    Appointments,
    Effect.gen(function* () {
      const events = yield* CalendarEvents
      const links = yield* MeetingLinks
      const modes = yield* makeModes
      const reminders = yield* Reminders
      const sql = yield* SqlClient.SqlClient
      const repo = yield* makeProviderEventsRepo

      // Replaces the jobs of the appointment's previous state.
      const follow = Effect.fnUntraced(function* (event: EventRow) {
        yield* reminders.follow(event)
        const { agentEventId, id: eventId, isDeleted, meetingLink, organizationId } = event
        if (agentEventId === null || isDeleted || meetingLink !== null) return
        yield* links.offer({ organizationId, eventId, agentEventId }, { delay: MeetingLinks.delay })
      })

      const change = Effect.fnUntraced(function* ({ id, organizationId }: Key, facts: Partial<EventRow>) {
        const updatedAt = yield* Time.nowAsDate
        const event = yield* events
          .change(organizationId, id, (before) =>
            before.isDeleted ? new AppointmentCancelled() : Effect.succeed({ ...before, ...facts, updatedAt })
          )
          .pipe(Effect.catchTag("CalendarEventNotFound", Effect.die))
        yield* follow(event)
      })

      const cancel = (key: Key, cancellation: EventRow["cancellation"], reportedAt?: Date) =>
        change(key, {
          status: "CANCELLED",
          isDeleted: true,
          cancellation,
          ...(reportedAt !== undefined && { reportedAt })
        })

      // Applies the reports that came before the meeting had an appointment.
      const catchUp = Effect.fnUntraced(function* (agentEventId: string): Effect.fn.Return<void> {
        for (const row of yield* repo.findAwaiting(agentEventId, yield* isTestMode)) {
          yield* repo.markApplied(row)
          yield* apply(meetingUpdateOf(row), row.reportedAt)
        }
      })

      // Returns the id of the meeting that an update changes; null for a new meeting, and for the end of a moved one, whose move has
      // a report of its own.
      const changedBy = (update: MeetingUpdate): string | null => {
        if (update.type === "invitee.created") return update.movedFrom
        return update.isMoved ? null : update.agentEventId
      }

      const ownerOf = (agentEventId: string | null) =>
        agentEventId === null ? Effect.succeedNone : events.findOfAgent(providerAgent, agentEventId)

      // A cancelled appointment stays as it is.
      const apply = Effect.fnUntraced(function* (update: MeetingUpdate, reportedAt: Date): Effect.fn.Return<void> {
        const owner = yield* ownerOf(changedBy(update))
        if (Option.isNone(owner)) return
        const forOwner = <A, E>(work: Effect.Effect<A, E>) =>
          Effect.ignore(modes.workFor(owner.value.organizationId, work))
        if (update.type === "invitee.created") {
          const { timezone, ...meeting } = update.meeting
          yield* forOwner(change(owner.value, { ...meeting, ...(timezone !== null && { timezone }), reportedAt }))
          yield* catchUp(update.agentEventId)
        } else {
          const { canceledBy, reason } = update
          yield* forOwner(cancel(owner.value, { canceledBy, reason }, reportedAt))
        }
      })

      return Appointments.of({
        add: Effect.fn("Appointments.add")(function* (event) {
          const { agentEventId, id } = event
          yield* repo.lock
          const owner = yield* ownerOf(agentEventId)
          if (Option.exists(owner, (existing) => existing.id !== id)) return yield* new MeetingTaken()
          yield* events.add(event)
          // Without a meeting at the provider it is a test, which has no jobs.
          if (agentEventId === null) return
          yield* follow(event)
          yield* modes.workFor(event.organizationId, catchUp(agentEventId))
        }, inTransaction(sql)),

        cancel: Effect.fn("Appointments.cancel")((key, cancellation) => inTransaction(sql)(cancel(key, cancellation))),

        observe: Effect.fn("Appointments.observe")(function* (update, reportedAt) {
          yield* repo.lock
          const { agentEventId, type } = update
          const receivedAt = yield* Time.nowAsDate
          const changed = changedBy(update)
          const owner = Option.getOrUndefined(yield* ownerOf(changed))
          if (owner !== undefined && !(yield* modes.isOfMode(owner.organizationId))) {
            yield* Effect.logWarning("A report about a meeting of the provider's other account is ignored")
            return { isNew: false, isAwaited: false }
          }
          const isKnown = owner !== undefined
          const isAwaited = changed !== null && !isKnown
          const movedFrom = update.type === "invitee.created" ? update.movedFrom : null
          const row = { agentEventId, type, movedFrom, ...timesOf(isAwaited ? update : undefined) }
          const isNew = yield* repo.insert({ ...row, isAwaited, isTest: yield* isTestMode, reportedAt, receivedAt })
          if (isNew) yield* apply(update, reportedAt)
          // It waits if it came before the appointment did, with its organization, from another cell.
          else if (isKnown && changed !== null) yield* catchUp(changed)
          return { isNew, isAwaited }
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([MeetingLinks.layer, Reminders.layer]))
}
