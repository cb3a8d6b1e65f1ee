import { Audit } from "@care/audit"
import type { DataKind } from "@care/domain/audit"
import {
  type CaseActivity,
  type CaseNotFound,
  type TimelineEntry,
  type TimelineKind,
  type TimelineQuery,
  timelineKindOf
} from "@care/domain/cases"
import { CalendarEventId, type CaseId, type OrganizationId, PaymentId } from "@care/domain/ids"
import { paymentLookupApi } from "@care/domain/payments"
import { isUnavailable, type Page, peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { Activity, CaseCalendarEvents, Cases, Decisions } from "../../case/index.ts"
import { Comments } from "../../comments/index.ts"
import { Escalations } from "../../escalations/index.ts"
import { Orders } from "../../orders/index.ts"

/** How many entries are examined for a page of one kind. */
const maxExamined = 1000

const lastSequence = 2 ** 31 - 1

/** The kinds of data that the entries of a kind show beside the activity itself. */
const dataOfKind: Readonly<Partial<Record<TimelineKind, DataKind>>> = {
  COMMENT: "COMMENTS",
  DECISION: "DECISIONS",
  ORDER: "ORDERS",
  ESCALATION: "ESCALATIONS",
  PAYMENT: "PAYMENTS",
  CALENDAR_EVENT: "APPOINTMENTS"
}

type Things = Omit<TimelineEntry, keyof CaseActivity | "kind">

const byId = <Thing>(things: ReadonlyArray<Thing>, idOf: (thing: Thing) => string): ReadonlyMap<string, Thing> =>
  new Map(things.map((thing) => [idOf(thing), thing]))

const idOf = ({ id }: { readonly id: string }) => id

// Nothing while the service does not answer: the rest of the timeline can be read without it.
const orNothing = <Thing>(things: Effect.Effect<ReadonlyArray<Thing>>) =>
  Effect.catchDefect(things, (defect) =>
    isUnavailable(defect) ? Effect.succeed<ReadonlyArray<Thing>>([]) : Effect.die(defect)
  )

/** The timeline of a case: its activity with what each entry is about. */
export class Timeline extends Context.Service<
  Timeline,
  {
    /**
     * Returns a page, newest first. What its entries name is read by one statement or call for each kind, and only that is opened. A page
     * of one kind may be shorter than the limit although there are more.
     */
    readonly page: (caseId: CaseId, query: TimelineQuery) => Effect.Effect<Page<TimelineEntry, number>, CaseNotFound>
  }
>()("@care/cases/timeline/Timeline") {
  static readonly layer = Layer.effect(
    Timeline,
    Effect.gen(function* () {
      const activity = yield* Activity
      const audit = yield* Audit
      const calendarEvents = yield* CaseCalendarEvents
      const cases = yield* Cases
      const comments = yield* Comments
      const decisions = yield* Decisions
      const escalations = yield* Escalations
      const orders = yield* Orders
      const payments = yield* peer(paymentLookupApi, "paymentLookup")

      const findPayments = (organizationId: OrganizationId, ids: ReadonlyArray<PaymentId>) =>
        Effect.orDie(payments.find({ params: { organizationId }, payload: { ids } }))

      const thingsOf = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        entries: ReadonlyArray<CaseActivity>
      ) {
        const read = <Id extends string, Thing>(
          name: string,
          find: (organizationId: OrganizationId, ids: ReadonlyArray<Id>) => Effect.Effect<ReadonlyArray<Thing>>,
          make: (id: string) => Id,
          idOfThing: (thing: Thing) => string
        ) => {
          const ids = new Set(entries.flatMap(({ details }) => details[name] ?? []))
          const found = ids.size === 0 ? Effect.succeed([]) : find(organizationId, Array.from(ids, make))
          return Effect.map(found, (things) => byId(things, idOfThing))
        }
        const same = (id: string) => id
        const found = yield* Effect.all(
          {
            comments: read("commentId", comments.findAll, same, idOf),
            decisions: read("decisionId", decisions.findAll, same, idOf),
            orders: read("orderId", orders.findAll, same, idOf),
            escalations: read("escalationId", escalations.findAll, same, idOf),
            payments: read(
              "paymentId",
              (...request) => orNothing(findPayments(...request)),
              PaymentId.make,
              ({ paymentId }) => paymentId
            ),
            calendarEvents: read(
              "eventId",
              (...request) => orNothing(calendarEvents.findAll(...request)),
              CalendarEventId.make,
              idOf
            )
          },
          { concurrency: "unbounded" }
        )
        return ({ details }: CaseActivity): Things => {
          const named = <Thing>(things: ReadonlyMap<string, Thing>, name: string) =>
            things.get(details[name] ?? "") ?? null
          return {
            comment: named(found.comments, "commentId"),
            decision: named(found.decisions, "decisionId"),
            order: named(found.orders, "orderId"),
            escalation: named(found.escalations, "escalationId"),
            payment: named(found.payments, "paymentId"),
            calendarEvent: named(found.calendarEvents, "eventId")
          }
        }
      })

      return Timeline.of({
        page: Effect.fn("Timeline.page")(function* (caseId, { cursor = lastSequence, kind, limit }) {
          const { glassBrokenUntil, organizationId, userId } = yield* cases.findOwner(caseId)
          const count = kind === undefined ? limit + 1 : maxExamined
          const examined = yield* activity.before(organizationId, caseId, cursor, count)
          const matching = examined.filter(({ type }) => kind === undefined || timelineKindOf(type) === kind)
          const entries = matching.slice(0, limit)
          // The last of the page, or, when too few matched, the last that was examined.
          const last =
            matching.length > limit ? entries.at(-1) : examined.length === count ? examined.at(-1) : undefined
          const things = yield* thingsOf(organizationId, entries)
          const kinds = new Set<DataKind>(entries.flatMap(({ type }) => dataOfKind[timelineKindOf(type)] ?? []))
          if (glassBrokenUntil !== null) kinds.add("BREAK_GLASS")
          yield* audit.read({ organizationId, action: "CASE_READ", caseId, userId, kinds: ["ACTIVITY", ...kinds] })
          return {
            data: entries.map((entry) => ({ ...entry, kind: timelineKindOf(entry.type), ...things(entry) })),
            nextCursor: last?.sequence ?? null
          }
        })
      })
    })
  )
}
