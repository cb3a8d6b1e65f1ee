import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { AddsTo, RateLimit, rateLimits } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keysAs } from "../http/commonErrors.ts"
import { Email } from "../http/Email.ts"
import { codedInvalidRequest, invalidRequest } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok, saying } from "../http/ok.ts"
import { addsTo } from "../http/quotas.ts"
import { requestExample } from "../http/requestExample.ts"
import { shownIds } from "../http/shownIds.ts"
import { textUpTo } from "../http/Text.ts"
import { CalendarEventId } from "../Ids.ts"
import { BookAppointment, bookAppointmentExample } from "./BookAppointment.ts"
import {
  AppointmentBegun,
  AppointmentCancelled,
  AppointmentNotFound,
  AppointmentOfAnotherAgent,
  EventTypeShared,
  PatientCaseMissing,
  ProviderRefused,
  SlotMissing,
  SlotTaken
} from "./errors.ts"
import { customAgent } from "./NewCalendarEvent.ts"
import { eventTypeUnknown, providerErrors } from "./providerErrors.ts"

/** The cancellation of an appointment; `appointmentId` is the `id` of the appointment list. */
export const CancelAppointment = Schema.Struct({
  email: Email,
  appointmentId: CalendarEventId,
  reason: Schema.optional(textUpTo(lengths.paragraph))
}).annotate({ identifier: "CancelAppointment" })
export type CancelAppointment = typeof CancelAppointment.Type

const mistakes = mistakesAs(invalidRequest, "A field is missing or malformed: `<path>, <reason>`")

const providerRefused = invalidRequest(
  ProviderRefused,
  400,
  ({ field }) =>
    field === null ? "The scheduling provider refused the request" : `${field}, refused by the scheduling provider`,
  "The scheduling provider refused the request: `<field>, refused by the scheduling provider` if it names one",
  new ProviderRefused({ field: null }),
  new ProviderRefused({ field: "location" })
)

/** Partner API: appointments at the scheduling provider. */
export class BookingsApi extends HttpApiGroup.make("bookings")
  .add(
    HttpApiEndpoint.post("book", "/api/v1/calendar/appointments", {
      headers: idempotencyHeader,
      payload: BookAppointment,
      success: ok({ message: saying("Appointment booked successfully") }),
      error: [
        ...keysAs(invalidRequest, 401),
        mistakes,
        invalidRequest(PatientCaseMissing, 400, "No open case of a patient with this email"),
        eventTypeUnknown,
        invalidRequest(
          EventTypeShared,
          400,
          "Event types with several places a slot cannot be booked",
          "The slots of the event type have several places at the scheduling provider, so a single booking cannot be cancelled"
        ),
        invalidRequest(SlotMissing, 400, "The start time is not an open slot of the event type"),
        invalidRequest(SlotTaken, 400, "The slot is already taken"),
        providerRefused,
        idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR")),
        ...providerErrors,
        ...broken
      ]
    })
      .annotate(RateLimit, rateLimits.appointmentsBooking)
      .annotate(OpenApi.Transform, requestExample(bookAppointmentExample))
      .annotate(AddsTo, addsTo.events)
      .annotate(OpenApi.Summary, "Book an appointment")
      .annotate(
        OpenApi.Description,
        "Books an open slot of an event type at the scheduling provider for a patient. The appointment belongs to the patient's newest case that is not archived. `startTime` is ISO 8601, in UTC unless it has an offset; `timezone` does not change it. Omitted fields of `tracking` are null. After a 503 with a `requestId` the slot may have been booked: repeat the request with the same `Idempotency-Key`, which never books twice. Appointments of test cases are stored, but not booked at the provider."
      ),
    HttpApiEndpoint.post("cancel", "/api/v1/calendar/appointments/cancel", {
      headers: idempotencyHeader,
      payload: CancelAppointment,
      success: ok({ message: saying("Appointment cancelled successfully") }),
      error: [
        ...keysAs(invalidRequest, 401),
        mistakes,
        invalidRequest(AppointmentNotFound, 400, "Appointment not found"),
        invalidRequest(AppointmentCancelled, 400, "Appointment has already been cancelled"),
        invalidRequest(
          AppointmentOfAnotherAgent,
          400,
          "Appointment is kept by another agent",
          `The \`agentName\` of the event is neither \`${customAgent}\` nor that of the scheduling provider; or the provider does not have the event, and its case is not a test case`
        ),
        invalidRequest(AppointmentBegun, 400, "Appointment has already begun"),
        providerRefused,
        idempotencyConflictAs(codedInvalidRequest("IDEMPOTENCY_ERROR")),
        ...providerErrors,
        ...broken
      ]
    })
      .annotate(RateLimit, rateLimits.appointmentsCancel)
      .annotate(
        OpenApi.Transform,
        requestExample({
          email: "maria.lopez@example.com",
          appointmentId: shownIds.calendarEvent,
          reason: "The patient is travelling"
        })
      )
      .annotate(OpenApi.Summary, "Cancel an appointment")
      .annotate(
        OpenApi.Description,
        "Cancels an appointment of a patient that has not begun, also at the scheduling provider. After a 503 with a `requestId` the cancellation is completed later, unless the provider refuses it: repeat the request with the same `Idempotency-Key` to get the result."
      )
  )
  .annotate(OpenApi.Title, "Appointment booking")
  .annotate(OpenApi.Description, "Book and cancel appointments of patients at the scheduling provider.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
