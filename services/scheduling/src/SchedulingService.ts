import { SchedulingApi } from "@care/domain/scheduling"
import { layerService, Once, oldIdempotencyKeys } from "@care/service-kit"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { AppointmentListFeature } from "./appointmentList/AppointmentListFeature.ts"
import { CalendarActionsFeature } from "./calendarActions/CalendarActionsFeature.ts"
import { CalendarEventsFeature } from "./calendarEvents/CalendarEventsFeature.ts"
import { CalendarNews } from "./calendarEvents/CalendarNews.ts"
import { CaseFactsFeature } from "./cases/CaseFactsFeature.ts"
import { Directory } from "./directory/Directory.ts"

export const SchedulingService = layerService({
  name: "scheduling",
  migrations,
  oldRows: [oldIdempotencyKeys],
  routes: HttpApiBuilder.layer(SchedulingApi).pipe(
    Layer.provide([
      AppointmentListFeature,
      CalendarActionsFeature,
      CalendarEventsFeature,
      CaseFactsFeature,
      CalendarNews.layerWorker
    ]),
    Layer.provide([Directory.layer, Once.layer])
  )
})
