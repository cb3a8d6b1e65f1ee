import { SchedulingApi } from "@care/domain/scheduling"
import { layerService } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { CalendarEventsHandlers } from "./calendarEvents/http.ts"

export const SchedulingService = layerService({
  name: "scheduling",
  migrations,
  routes: HttpApiBuilder.layer(SchedulingApi).pipe(Layer.provide(CalendarEventsHandlers))
})
