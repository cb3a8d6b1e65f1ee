import { SchedulingApi } from "@care/domain/scheduling"
import { Once } from "@care/once"
import { layerService } from "@care/service"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import {
  AppointmentReminders,
  AvailabilityFeature,
  BookingsFeature,
  MeetingLinks,
  oldBookingRows,
  ProviderEventsFeature,
  ReminderSettings
} from "./bookings/index.ts"
import {
  AppointmentListFeature,
  CalendarActionsFeature,
  CalendarEvents,
  CalendarEventsFeature,
  CalendarReplication
} from "./calendar/index.ts"
import { CaseReplicaFeature, CaseSnapshots, Directory } from "./cases/index.ts"
import { layerOwnPatients } from "./patients/index.ts"
import { ProviderSettings, SchedulingProvider } from "./provider/index.ts"
import { ReconciliationFeature } from "./reconciliation/index.ts"

export const SchedulingService = layerService({
  name: "scheduling",
  migrations,
  oldRows: oldBookingRows,
  routes: Layer.mergeAll(
    CaseReplicaFeature,
    ReconciliationFeature,
    HttpApiBuilder.layer(SchedulingApi).pipe(
      Layer.provide([
        AppointmentListFeature,
        AvailabilityFeature,
        BookingsFeature,
        CalendarActionsFeature,
        CalendarEventsFeature,
        ProviderEventsFeature,
        AppointmentReminders.layerWorker,
        CalendarReplication.layerWorker,
        MeetingLinks.layerWorker
      ])
    )
  ).pipe(
    // Erases the patients of the list of erasures before any job begins.
    Layer.provideMerge(layerOwnPatients),
    Layer.provide([CalendarEvents.layer, CaseSnapshots.layer, Directory.layer, Once.layer, SchedulingProvider.layer]),
    Layer.provide([ProviderSettings.layer, ReminderSettings.layer])
  )
})
