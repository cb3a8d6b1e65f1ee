import { type DayOfRequests, requestLogDays } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { Array as Arr, Context, DateTime, Effect, Layer } from "effect"
import { dayOf } from "./dayOf.ts"
import { makeRequestDaysRepo } from "./RequestDaysRepo.ts"

const none = { requests: 0, refused: 0, failed: 0, isComplete: true }

/** How many requests organizations sent on each of the last seven days. */
export class RequestDays extends Context.Service<
  RequestDays,
  {
    /** Returns today and the days before, oldest first. */
    readonly list: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<DayOfRequests>>
  }
>()("@care/auth/requestLogs/RequestDays") {
  static readonly layer = Layer.effect(
    RequestDays,
    Effect.gen(function* () {
      const repo = yield* makeRequestDaysRepo
      return RequestDays.of({
        list: Effect.fn("RequestDays.list")(function* (organizationId) {
          const now = yield* DateTime.now
          const days = Arr.makeBy(requestLogDays, (index) =>
            dayOf(DateTime.toDateUtc(DateTime.subtract(now, { days: requestLogDays - 1 - index })))
          )
          const logged = yield* repo.since(organizationId, days[0])
          const found = new Map(logged.map((day) => [day.begunAt.getTime(), day]))
          return days.map((begunAt) => found.get(begunAt.getTime()) ?? { begunAt, ...none })
        })
      })
    })
  )
}
