import {
  type LoggedRequest,
  type RequestLogOutcome,
  RequestLogRefused,
  type RequestLogsQuery,
  requestLogDays,
  requestsLoggedADay
} from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { inTransaction, isFrozen, movedTo, newest, type Page, pageBy, sqlStateOf } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dayMillis, dayOf } from "./dayOf.ts"
import { makeRequestLogsRepo } from "./RequestLogsRepo.ts"

/** A page of the request log. `isComplete` is false if requests of its time were dropped. */
interface RequestLogsPage extends Page<LoggedRequest> {
  readonly isComplete: boolean
}

const nothing: RequestLogOutcome = { waiting: [], full: [] }

// Of invalid data: a text that is no number, a time that does not exist, a null where none may be.
const isOfData = (failure: unknown) => /^(22|23502)/.test(sqlStateOf(failure))

/** The requests of organizations, of the last seven days. */
export class RequestLogs extends Context.Service<
  RequestLogs,
  {
    /** Stores each request of a `RequestLogBatch` in JSON once. */
    readonly store: (batch: string) => Effect.Effect<RequestLogOutcome, RequestLogRefused>
    /** Returns a page, newest first. */
    readonly list: (organizationId: OrganizationId, query: RequestLogsQuery) => Effect.Effect<RequestLogsPage>
  }
>()("@care/auth/requestLogs/RequestLogs") {
  static readonly layer = Layer.effect(
    RequestLogs,
    Effect.gen(function* () {
      const repo = yield* makeRequestLogsRepo
      const sql = yield* SqlClient.SqlClient

      const storeOf = Effect.fnUntraced(function* (batch: string, only?: ReadonlyArray<OrganizationId>) {
        const days = yield* repo.insert(batch, only)
        yield* repo.requireHere(days.map(({ organizationId }) => organizationId))
        const counts = days.map(({ added, begunAt, given, hasDropped, organizationId, stored }) => ({
          organizationId,
          begunAt,
          stored: stored + added,
          isComplete: !hasDropped && stored + given <= requestsLoggedADay
        }))
        yield* repo.count(counts)
        const full = counts.filter(({ isComplete, stored }) => !isComplete && stored >= requestsLoggedADay)
        return {
          ...nothing,
          full: full.map(({ begunAt, organizationId }) => ({
            organizationId,
            until: new Date(begunAt.getTime() + dayMillis)
          }))
        }
      }, inTransaction(sql))

      // The requests of an organization that moved away are dropped: the gateway logs in the other cell from now on.
      const storeUnlessMoving = (batch: string, organizationId: OrganizationId) =>
        Effect.catchDefect(storeOf(batch, [organizationId]), (defect) => {
          if (isFrozen(defect)) return Effect.succeed({ ...nothing, waiting: [organizationId] })
          return movedTo(defect) === undefined ? Effect.die(defect) : Effect.succeed(nothing)
        })

      // An organization that moves is stored alone, so that its refusal does not concern the others.
      const storeApart = Effect.fnUntraced(function* (batch: string) {
        const organizations = yield* repo.movesOf(batch)
        const idsOf = (moved: boolean) =>
          organizations.flatMap(({ hasMoved, organizationId }) => (hasMoved === moved ? [organizationId] : []))
        const here = idsOf(false)
        const outcomes = yield* Effect.forEach(idsOf(true), (organizationId) =>
          storeUnlessMoving(batch, organizationId)
        )
        const ofOthers = here.length === 0 ? nothing : yield* storeOf(batch, here)
        return {
          waiting: outcomes.flatMap(({ waiting }) => waiting),
          full: [ofOthers, ...outcomes].flatMap(({ full }) => full)
        }
      })

      return RequestLogs.of({
        store: Effect.fn("RequestLogs.store")((batch) =>
          Effect.catchDefect(storeOf(batch), (defect) => {
            if (isFrozen(defect) || movedTo(defect) !== undefined) return storeApart(batch)
            return isOfData(defect) ? new RequestLogRefused() : Effect.die(defect)
          })
        ),
        list: Effect.fn("RequestLogs.list")(function* (organizationId, query) {
          const { cursor = newest, limit, method, path, requestId, status } = query
          const now = yield* DateTime.now
          const oldest = DateTime.toDateUtc(DateTime.subtract(now, { days: requestLogDays }))
          const since = query.since === undefined || query.since < oldest ? oldest : query.since
          const until = query.until ?? DateTime.toDateUtc(now)
          const filter = {
            since,
            until,
            method,
            path,
            requestId,
            statusClass: status === undefined ? undefined : Number(status[0]),
            status: status === undefined || status.endsWith("x") ? undefined : Number(status)
          }
          const rows = yield* repo.page(organizationId, filter, cursor, limit + 1)
          return {
            ...pageBy(rows, limit, ({ at, id }) => ({ createdAt: at, id })),
            isComplete: yield* repo.isComplete(organizationId, dayOf(since), until)
          }
        })
      })
    })
  )
}
