import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { CalendarEventsApi } from "./CalendarEventsApi.ts"
import { FollowedCasesApi } from "./FollowedCasesApi.ts"

export class SchedulingApi extends HttpApi.make("scheduling")
  .add(CalendarEventsApi)
  .add(FollowedCasesApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
