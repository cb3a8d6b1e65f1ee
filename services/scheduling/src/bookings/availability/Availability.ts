import { RequestInvalid } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import {
  type EventTypeUnknown,
  maxAvailabilityDays,
  type OpenSlot,
  type ProviderBusy,
  type ProviderNotConfigured
} from "@care/domain/scheduling"
import { Time } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer } from "effect"
import { SchedulingProvider } from "../../provider/index.ts"

/** The query of the endpoint, in the names of the wire. */
interface SlotQuery {
  readonly event_type_id: string
  readonly start_time: Date
  readonly end_time: Date
}

const invalid = (path: string, reason: string) => new RequestInvalid({ part: "query", path, reason })

// The provider refuses a start that is past when it reads the request.
const startMargin = Duration.seconds(30)

/** The open slots of the scheduling provider. */
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
          if (DateTime.isLessThanOrEqualTo(end, start)) return yield* invalid("end_time", "must be after start_time")
          if (DateTime.isGreaterThan(end, DateTime.addDuration(start, Duration.days(maxAvailabilityDays)))) {
            return yield* invalid("end_time", `must be within ${maxAvailabilityDays} days of start_time`)
          }
          const soon = DateTime.addDuration(yield* Time.now, startMargin)
          if (DateTime.isLessThanOrEqualTo(end, soon)) return yield* invalid("end_time", "must be in the future")
          const open = yield* provider.slots(
            organizationId,
            event_type_id,
            DateTime.toDateUtc(DateTime.max(start, soon)),
            end_time
          )
          // The provider returns no slots for an inactive event type, so it is checked: an unknown one is refused.
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
