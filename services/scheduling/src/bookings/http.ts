import { Partner } from "@care/domain/http"
import { SchedulingApi } from "@care/domain/scheduling"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { Cancellations } from "./cancellations/Cancellations.ts"
import { NewAppointments } from "./NewAppointments.ts"

export const BookingsHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "bookings",
  Effect.fnUntraced(function* (handlers) {
    const appointments = yield* NewAppointments
    const cancellations = yield* Cancellations
    return handlers.handleAll({
      book: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        yield* appointments.book(organizationId, payload, headers["idempotency-key"])
        return {}
      }),
      cancel: Effect.fnUntraced(function* ({ headers, payload }) {
        const { organizationId } = yield* Partner
        yield* cancellations.cancel(organizationId, payload, headers["idempotency-key"])
        return {}
      })
    })
  })
)
