import { RequestInvalid } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import {
  type EventTypeUnknown,
  maxAvailabilityDays,
  type OpenSlot,
  type ProviderBusy,
  type ProviderNotConfigured
} from "@care/domain/scheduling"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SchedulingProvider } from "../../provider/index.ts"

/** Which slots are asked for. */
interface SlotQuery {
  readonly event_type_id: string
  readonly start_time: Date
  readonly end_time: Date
}

const refused = (path: string, reason: string) => new RequestInvalid({ part: "query", path, reason })

// The provider tells of what is to come alone, when it reads the request.
const justAhead = Duration.seconds(30)

/** When event types of the scheduling provider can be booked. */
export class Availability extends Context.Service<
  Availability,
  {
    readonly slots: (
      organizationId: OrganizationId,
      query: SlotQuery
    ) => Effect.Effect<
      ReadonlyArray<OpenSlot>,
      RequestInvalid | EventTypeUnknown | ProviderBusy | ProviderNotConfigured
    >
  }
>()("@care/scheduling/availability/Availability") {
  static readonly layer = Layer.effect(
    Availability,
    Effect.gen(function* () {
      const provider = yield* SchedulingProvider

      return Availability.of({
        slots: Effect.fn("Availability.slots")(function* (organizationId, { end_time, event_type_id, start_time }) {
          const start = DateTime.fromDateUnsafe(start_time)
          const end = DateTime.fromDateUnsafe(end_time)
          if (DateTime.isLessThanOrEqualTo(end, start)) return yield* refused("end_time", "must be after start_time")
          if (DateTime.isGreaterThan(end, DateTime.addDuration(start, Duration.days(maxAvailabilityDays)))) {
            return yield* refused("end_time", `must be within ${maxAvailabilityDays} days of start_time`)
          }
          const soon = DateTime.addDuration(yield* DateTime.now, justAhead)
          if (DateTime.isLessThanOrEqualTo(end, soon)) return yield* refused("end_time", "must be in the future")
          const open = yield* provider.slots(
            organizationId,
            event_type_id,
            DateTime.toDateUtc(DateTime.max(start, soon)),
            end_time
          )
          // Of one that is not active the provider says no more than that it has none.
          if (open.length === 0) {
            yield* Effect.catchTag(
              provider.eventType(organizationId, event_type_id),
              "EventTypeShared",
              () => Effect.void
            )
          }
          return open
        })
      })
    })
  )
}
