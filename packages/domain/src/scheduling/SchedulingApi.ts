import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { AppointmentsApi } from "./AppointmentsApi.ts"
import { CalendarActionsApi } from "./CalendarActionsApi.ts"
import { CalendarEventsApi } from "./CalendarEventsApi.ts"
import { FollowedCasesApi } from "./FollowedCasesApi.ts"

export class SchedulingApi extends HttpApi.make("scheduling")
  .add(CalendarActionsApi)
  .add(AppointmentsApi)
  .add(CalendarEventsApi)
  .add(FollowedCasesApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
