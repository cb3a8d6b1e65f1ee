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

/** Calendar events and their changes. All other parts read and change events through this service. */
export class CalendarEvents extends Context.Service<
  CalendarEvents,
  {
    /**
     * Stores an event, inside the caller's transaction if there is one; idempotent by its id and by the agent's own id.
     * Its case must have a snapshot (`CaseSnapshots`), which is locked until the transaction ends. Locks are taken in
     * one order, the case before its events: a transaction that adds and changes events adds first. Cases is notified,
     * and again of a cancellation.
     */
    readonly add: (event: EventRow) => Effect.Effect<EventRow>
    readonly find: (organizationId: OrganizationId, id: CalendarEventId) => Effect.Effect<Option.Option<EventRow>>
    /**
     * Returns the owner of an agent's event. The only lookup that takes no organization id, because the agent's id has
     * none.
     */
    readonly findOfAgent: (
      agentName: string,
      agentEventId: string
    ) => Effect.Effect<Option.Option<Pick<EventRow, "organizationId" | "id">>>
    /**
     * Changes an event under a lock, inside the caller's transaction if there is one. A failure of `after` changes
     * nothing.
     */
    readonly change: <E = never>(
      organizationId: OrganizationId,
      id: CalendarEventId,
      after: (before: EventRow) => Effect.Effect<EventRow, E>
    ) => Effect.Effect<EventRow, CalendarEventNotFound | E>
    /** Returns those of the events that are the organization's, cancelled ones included. */
    readonly findAll: (
      organizationId: OrganizationId,
      ids: ReadonlyArray<CalendarEventId>
    ) => Effect.Effect<ReadonlyArray<EventRow>>
    /** Returns the events of a case that were not cancelled, latest start first. */
    readonly ofCase: (
      organizationId: OrganizationId,
      caseId: CaseId,
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<EventRow>>
    /** Returns the events of a range that were not cancelled, of cases that are not archived, earliest end first. */
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
      const replication = yield* CalendarReplication
      const patientKeys = yield* makePatientKeys
      const sql = yield* SqlClient.SqlClient

      const findExisting = Effect.fnUntraced(function* ({ agentEventId, agentName, id, organizationId }: EventRow) {
        const existing = yield* repo.find(organizationId, id)
        if (Option.isSome(existing) || agentEventId === null) return existing
        return yield* repo.findByAgentEvent(organizationId, agentName, agentEventId)
      })

      const notify = ({ id, organizationId }: EventRow) => replication.changed(organizationId, [id])

      const record = (action: AuditAction, { caseId, organizationId, userId }: EventRow) =>
        audit.changed({ organizationId, action, caseId, userId })

      return CalendarEvents.of({
        add: Effect.fn("CalendarEvents.add")(function* (event) {
          const key = yield* patientKeys.of(event.organizationId, event.userId)
          if (yield* repo.insert(key, event, yield* repo.isOfArchived(event))) {
            yield* record("CALENDAR_EVENT_CREATED", event)
            return yield* Effect.as(notify(event), event)
          }
          return yield* Effect.orDie(Effect.fromOption(yield* findExisting(event)))
        }, inTransaction(sql)),

        find: Effect.fn("CalendarEvents.find")(repo.find),

        findOfAgent: Effect.fn("CalendarEvents.findOfAgent")(repo.findOfAgent),

        change: Effect.fn("CalendarEvents.change")(function* (organizationId, id, after) {
          const change = Effect.gen(function* () {
            const found = yield* repo.lock(organizationId, id)
            const before = yield* Effect.fromOption(found, () => new CalendarEventNotFound({ eventId: id }))
            const event = yield* after(before)
            if (Equal.equals(event, before)) return event
            yield* repo.update(yield* patientKeys.of(organizationId, event.userId), event)
            const isCancelled = event.isDeleted && !before.isDeleted
            yield* record(isCancelled ? "CALENDAR_EVENT_CANCELLED" : "CALENDAR_EVENT_CHANGED", event)
            if (isCancelled) yield* notify(event)
            return event
          })
          return yield* inTransaction(sql)(change)
        }),

        findAll: Effect.fn("CalendarEvents.findAll")(repo.findAll),

        ofCase: Effect.fn("CalendarEvents.ofCase")(repo.ofCase),

        listed: Effect.fn("CalendarEvents.listed")(repo.listed)
      })
    })
  ).pipe(Layer.provide(CalendarReplication.layer))
}
