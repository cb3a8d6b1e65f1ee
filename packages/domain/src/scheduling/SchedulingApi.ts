import { HttpApi } from "effect/http-api"
import { allMistakes, Owner } from "../http/annotations.ts"
import { CalendarEventsApi } from "./CalendarEventsApi.ts"

/** Everything that the scheduling service answers. */
export class SchedulingApi extends HttpApi.make("scheduling")
  .add(CalendarEventsApi)
  .annotate(Owner, "scheduling")
  .annotate(HttpApi.ParseOptions, allMistakes) {}
