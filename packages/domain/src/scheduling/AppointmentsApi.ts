import { Record, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { RateLimit, rateLimits } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, keysAs } from "../http/commonErrors.ts"
import { Email } from "../http/Email.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok, saying } from "../http/ok.ts"
import { queryEmail } from "../http/queryParameters.ts"
import { DateOnly } from "../http/Timestamp.ts"
import { AppointmentUserUnknown, DayRangeRefused } from "./errors.ts"
import { ListedAppointment, maxAppointments } from "./ListedAppointment.ts"

/** The filters of appointments: a patient, and a range of days in UTC. */
export const AppointmentsQuery = Schema.Struct({
  start_date: Schema.optionalKey(DateOnly),
  end_date: Schema.optionalKey(DateOnly),
  user_email: queryEmail.pipe(Schema.decodeTo(Schema.optionalKey(Email)))
})
export type AppointmentsQuery = typeof AppointmentsQuery.Type

const rangeProblems = {
  missing: "start_date and end_date are required without user_email",
  incomplete: "start_date and end_date must be given together",
  reversed: "start_date must be on or before end_date"
} as const

export class AppointmentsApi extends HttpApiGroup.make("appointmentList")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/calendar/appointments", {
      query: AppointmentsQuery,
      success: ok({
        message: saying("Appointments fetched successfully"),
        data: Schema.Array(ListedAppointment).check(
          Schema.isMaxLength(maxAppointments, { description: `The first ${maxAppointments}, sorted by their end.` })
        )
      }).annotate({ identifier: "Appointments" }),
      error: [
        ...keysAs(invalidRequest, 400),
        mistakesAs(invalidRequest, "A date or the email is malformed: `<parameter>, <reason>`"),
        invalidRequest(
          DayRangeRefused,
          400,
          ({ problem }) => rangeProblems[problem],
          "Only one of the two dates is sent, or neither dates nor a user, or the range is reversed",
          ...Record.keys(rangeProblems).map((problem) => new DayRangeRefused({ problem }))
        ),
        invalidRequest(
          AppointmentUserUnknown,
          400,
          "No user found with this email",
          "The organization has no user with this email"
        ),
        ...broken
      ]
    })
      .annotate(RateLimit, rateLimits.appointmentsList)
      .annotate(OpenApi.Summary, "List appointments")
      .annotate(
        OpenApi.Description,
        `Lists the calendar events of open cases that are neither cancelled nor over, sorted by their end. Filter by a range of days in UTC (both included), by the email of a patient (in any letter case), or by both. An event belongs to every day that it overlaps. At most ${maxAppointments} events are returned. To get the following ones, repeat the request with the day on which the last event ends as \`start_date\`.`
      )
  )
  .annotate(OpenApi.Title, "Appointments")
  .annotate(OpenApi.Description, "The calendars of the organization's cases.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
