import { Partner } from "@care/domain/http"
import { SchedulingApi } from "@care/domain/scheduling"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { AppointmentList } from "./AppointmentList.ts"

export const AppointmentListHandlers = HttpApiBuilder.group(
  SchedulingApi,
  "appointmentList",
  Effect.fnUntraced(function* (handlers) {
    const appointments = yield* AppointmentList
    return handlers.handleAll({
      list: Effect.fnUntraced(function* ({ query }) {
        const { organizationId } = yield* Partner
        return { data: yield* appointments.find(organizationId, query) }
      })
    })
  })
)
