import * as HttpApi from "effect/http-api/HttpApi"
import { allMistakes } from "../http/annotations.ts"
import { CalendarEventsApi } from "./CalendarEventsApi.ts"

export class SchedulingApi extends HttpApi.make("scheduling")
  .add(CalendarEventsApi)
  .annotate(HttpApi.ParseOptions, allMistakes) {}
