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
          Schema.isMaxLength(maxAppointments, { description: `The first ${maxAppointments}, what ends first first.` })
        )
      }).annotate({ identifier: "Appointments" }),
      error: [
        ...keysAs(invalidRequest, 400),
        mistakesAs(invalidRequest, "A day or the email is malformed: `<parameter>, <reason>`"),
        invalidRequest(
          DayRangeRefused,
          400,
          ({ problem }) => rangeProblems[problem],
          "One of the two days is missing, both are and no user is named, or the range is reversed",
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
        `What is in the calendars of the cases that are not closed, and neither cancelled nor over, by the time at which it ends: of a range of days in UTC, both included, of the patient with an email (in any letter case), or of both. An event belongs to each day that it touches. At most ${maxAppointments} are answered; what follows is found from the day on which the last of them ends.`
      )
  )
  .annotate(OpenApi.Title, "Appointments")
  .annotate(OpenApi.Description, "The calendars of the organization's cases.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
