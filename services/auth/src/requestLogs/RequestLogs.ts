import {
  type LoggedRequest,
  type RequestLogBatch,
  type RequestLogsQuery,
  requestLogDays,
  requestsLoggedADay
} from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { inTransaction, isFrozen, movedTo, newest, type Page, pageBy } from "@care/service-kit"
import { Array as Arr, Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { dayOf } from "./dayOf.ts"
import { makeRequestLogsRepo } from "./RequestLogsRepo.ts"

/** A page of the request log. `isComplete` is false if requests of its time were dropped. */
interface RequestLogsPage extends Page<LoggedRequest> {
  readonly isComplete: boolean
}

type Request = RequestLogBatch["requests"][number]
type Dropped = RequestLogBatch["dropped"][number]

const dayKeyOf = ({ at, organizationId }: Dropped): string => `${organizationId} ${dayOf(at).getTime()}`

/** The requests of organizations, of the last seven days. */
export class RequestLogs extends Context.Service<
  RequestLogs,
  {
    /** Stores each request once. Returns the organizations whose requests cannot be stored while they move. */
    readonly store: (batch: RequestLogBatch) => Effect.Effect<{ readonly waiting: ReadonlyArray<OrganizationId> }>
    /** Returns a page, newest first. */
    readonly list: (organizationId: OrganizationId, query: RequestLogsQuery) => Effect.Effect<RequestLogsPage>
  }
>()("@care/auth/requestLogs/RequestLogs") {
  static readonly layer = Layer.effect(
    RequestLogs,
    Effect.gen(function* () {
      const repo = yield* makeRequestLogsRepo
      const sql = yield* SqlClient.SqlClient

      const storeDay = Effect.fnUntraced(function* (
        { at, organizationId }: Dropped,
        requests: ReadonlyArray<Request>,
        hasDropped: boolean
      ) {
        yield* repo.requireHere(organizationId)
        const day = dayOf(at)
        const room = Math.max(0, requestsLoggedADay - (yield* repo.lockDay(organizationId, day)))
        const added = yield* repo.insert(organizationId, requests.slice(0, room))
        yield* repo.count(organizationId, day, added, !hasDropped && requests.length <= room)
      }, inTransaction(sql))

      // The requests of an organization that moved away are dropped: the gateway logs in the other cell from now on.
      const storeUnlessMoving = (first: Dropped, requests: ReadonlyArray<Request>, hasDropped: boolean) =>
        storeDay(first, requests, hasDropped).pipe(
          Effect.as<ReadonlyArray<OrganizationId>>([]),
          Effect.catchDefect((defect) => {
            if (isFrozen(defect)) return Effect.succeed([first.organizationId])
            return movedTo(defect) === undefined ? Effect.die(defect) : Effect.succeed([])
          })
        )

      return RequestLogs.of({
        store: Effect.fn("RequestLogs.store")(function* ({ dropped, requests }) {
          const requestsOf = Arr.groupBy(requests, dayKeyOf)
          const droppedOf = Arr.groupBy(dropped, dayKeyOf)
          const days = Object.entries({ ...droppedOf, ...requestsOf })
          const waiting = yield* Effect.forEach(
            days,
            ([key, [first]]) => storeUnlessMoving(first, requestsOf[key] ?? [], droppedOf[key] !== undefined),
            { concurrency: 2 }
          )
          return { waiting: Arr.dedupe(waiting.flat()) }
        }),
        list: Effect.fn("RequestLogs.list")(function* (organizationId, query) {
          const { cursor = newest, limit, requestId, status } = query
          const now = yield* DateTime.now
          const oldest = DateTime.toDateUtc(DateTime.subtract(now, { days: requestLogDays }))
          const since = query.since === undefined || query.since < oldest ? oldest : query.since
          const until = query.until ?? DateTime.toDateUtc(now)
          const filter = {
            since,
            until,
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
