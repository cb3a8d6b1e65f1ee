import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { AppointmentSimulationsApi } from "./AppointmentSimulationsApi.ts"
import { AppointmentsApi } from "./AppointmentsApi.ts"
import { AvailabilityApi } from "./AvailabilityApi.ts"
import { BookingsApi } from "./BookingsApi.ts"
import { CalendarActionsApi } from "./CalendarActionsApi.ts"
import { CalendarEventsApi } from "./CalendarEventsApi.ts"
import { ProviderEventsApi } from "./ProviderEventsApi.ts"

export class SchedulingApi extends HttpApi.make("scheduling")
  .add(BookingsApi)
  .add(AvailabilityApi)
  .add(ProviderEventsApi)
  .add(CalendarActionsApi)
  .add(AppointmentsApi)
  .add(CalendarEventsApi)
  .add(AppointmentSimulationsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
