import { Audit } from "@care/audit"
import type { AuditAction } from "@care/domain/audit"
import type { PagePosition } from "@care/domain/http"
import type { CalendarEventId, CaseId, OrganizationId } from "@care/domain/ids"
import { CalendarEventNotFound } from "@care/domain/scheduling"
import { makePatientKeys } from "@care/phi"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Equal, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { type ListedRange, makeCalendarEventsRepo } from "./CalendarEventsRepo.ts"
import { CalendarReplication } from "./CalendarReplication.ts"
import type { EventRow } from "./EventRow.ts"

/** Calendar events: what they are, and how they change. Whoever wants to know the one, or to do the other, asks here. */
export class CalendarEvents extends Context.Service<
  CalendarEvents,
  {
    /**
     * Stores an event, inside the caller's transaction if there is one: the same id again, or the same event of an agent, is
     * the first. Its case is known (`CaseSnapshots`), and stays as it is until the transaction ends. Locks are taken in one
     * order: the case, then its events; so whoever changes one and adds another in a transaction adds first. Cases is
     * told, and again when it is cancelled.
     */
    readonly add: (event: EventRow) => Effect.Effect<EventRow>
    readonly find: (organizationId: OrganizationId, id: CalendarEventId) => Effect.Effect<Option.Option<EventRow>>
    /**
     * Whose an event of an agent is. The only look-up that names no organization: an agent's own id does not.
     */
    readonly findOfAgent: (
      agentName: string,
      agentEventId: string
    ) => Effect.Effect<Option.Option<Pick<EventRow, "organizationId" | "id">>>
    /**
     * Changes an event, inside the caller's transaction if there is one: of changes made at once each finds what the one
     * before left. What `after` fails with changes nothing.
     */
    readonly change: <E = never>(
      organizationId: OrganizationId,
      id: CalendarEventId,
      after: (before: EventRow) => Effect.Effect<EventRow, E>
    ) => Effect.Effect<EventRow, CalendarEventNotFound | E>
    /** The events of a case that were not cancelled, those that start last first. */
    readonly ofCase: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<EventRow>>
    /** The events of a range that were not cancelled, of cases that are not archived, those that end first first. */
    readonly listed: (
      organizationId: OrganizationId,
      range: ListedRange,
      limit: number
    ) => Effect.Effect<ReadonlyArray<EventRow>>
  }
>()("@care/scheduling/calendarEvents/CalendarEvents") {
  static readonly layer = Layer.effect(
    CalendarEvents,
    Effect.gen(function* () {
      const audit = yield* Audit
      const repo = yield* makeCalendarEventsRepo
      const update = yield* CalendarReplication
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient

      const first = Effect.fnUntraced(function* ({ agentEventId, agentName, id, organizationId }: EventRow) {
        const known = yield* repo.find(organizationId, id)
        if (Option.isSome(known) || agentEventId === null) return known
        return yield* repo.findByAgentEvent(organizationId, agentName, agentEventId)
      })

      const tell = ({ id, organizationId }: EventRow) => update.offer({ organizationId, eventId: id })

      const record = (action: AuditAction, { caseId, organizationId, userId }: EventRow) =>
        audit.changed({ organizationId, action, caseId, userId })

      return CalendarEvents.of({
        add: Effect.fn("CalendarEvents.add")(function* (event) {
          const key = yield* patientKeys.of(event.organizationId, event.userId)
          if (yield* repo.insert(key, event, yield* repo.isOfArchived(event))) {
            yield* record("CALENDAR_EVENT_CREATED", event)
            return yield* Effect.as(tell(event), event)
          }
          return yield* Effect.orDie(Effect.fromOption(yield* first(event)))
        }, inTransaction(sql)),

        find: Effect.fn("CalendarEvents.find")(repo.find),

        findOfAgent: Effect.fn("CalendarEvents.findOfAgent")(repo.findOfAgent),

        change: Effect.fn("CalendarEvents.change")(function* (organizationId, id, after) {
          const changed = Effect.gen(function* () {
            const found = yield* repo.lock(organizationId, id)
            const before = yield* Effect.fromOption(found, () => new CalendarEventNotFound({ eventId: id }))
            const event = yield* after(before)
            if (Equal.equals(event, before)) return event
            yield* repo.update(yield* patientKeys.of(organizationId, event.userId), event)
            const isCancelled = event.isDeleted && !before.isDeleted
            yield* record(isCancelled ? "CALENDAR_EVENT_CANCELLED" : "CALENDAR_EVENT_CHANGED", event)
            if (isCancelled) yield* tell(event)
            return event
          })
          return yield* inTransaction(sql)(changed)
        }),

        ofCase: Effect.fn("CalendarEvents.ofCase")(repo.ofCase),

        listed: Effect.fn("CalendarEvents.listed")(repo.listed)
      })
    })
  ).pipe(Layer.provide(CalendarReplication.layer))
}
