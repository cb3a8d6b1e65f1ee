import { SchedulingApi } from "@care/domain/scheduling"
import { Once, oldIdempotencyKeys } from "@care/once"
import { layerService } from "@care/service"
import { Layer } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { migrations } from "../migrations/index.ts"
import { AppointmentListFeature } from "./appointmentList/AppointmentListFeature.ts"
import { AvailabilityFeature } from "./availability/AvailabilityFeature.ts"
import { BookingsFeature } from "./bookings/BookingsFeature.ts"
import { oldBookings } from "./bookings/oldBookings.ts"
import { CalendarActionsFeature } from "./calendarActions/CalendarActionsFeature.ts"
import { CalendarEvents } from "./calendarEvents/CalendarEvents.ts"
import { CalendarEventsFeature } from "./calendarEvents/CalendarEventsFeature.ts"
import { CalendarReplication } from "./calendarEvents/CalendarReplication.ts"
import { oldCancellations } from "./cancellations/oldCancellations.ts"
import { CaseFactsFeature } from "./cases/CaseFactsFeature.ts"
import { CaseSnapshots } from "./cases/CaseSnapshots.ts"
import { Directory } from "./directory/Directory.ts"
import { MeetingLinks } from "./meetingLinks/MeetingLinks.ts"
import { layerOwnPatients } from "./patients/OwnPatients.ts"
import { ProviderSettings } from "./provider/ProviderSettings.ts"
import { SchedulingProvider } from "./provider/SchedulingProvider.ts"
import { oldProviderEvents } from "./providerEvents/oldProviderEvents.ts"
import { ProviderEventsFeature } from "./providerEvents/ProviderEventsFeature.ts"
import { ReconciliationFeature } from "./reconciliation/ReconciliationFeature.ts"
import { AppointmentReminders } from "./reminders/AppointmentReminders.ts"
import { ReminderSettings } from "./reminders/ReminderSettings.ts"

export const SchedulingService = layerService({
  name: "scheduling",
  migrations,
  oldRows: [oldIdempotencyKeys, oldBookings, oldCancellations, oldProviderEvents],
  routes: Layer.mergeAll(
    layerOwnPatients,
    ReconciliationFeature,
    HttpApiBuilder.layer(SchedulingApi).pipe(
      Layer.provide([
        AppointmentListFeature,
        AvailabilityFeature,
        BookingsFeature,
        CalendarActionsFeature,
        CalendarEventsFeature,
        CaseFactsFeature,
        ProviderEventsFeature,
        AppointmentReminders.layerWorker,
        CalendarReplication.layerWorker,
        MeetingLinks.layerWorker
      ])
    )
  ).pipe(
    Layer.provide([CalendarEvents.layer, CaseSnapshots.layer, Directory.layer, Once.layer, SchedulingProvider.layer]),
    Layer.provide([ProviderSettings.layer, ReminderSettings.layer])
  )
})
