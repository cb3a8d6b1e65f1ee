import { Schema } from "effect"
import { lengths } from "../http/bounds.ts"
import { stepOf } from "../http/stepOf.ts"
import { nonBlankUpTo } from "../http/Text.ts"
import { CalendarTime } from "../http/Timestamp.ts"
import { CalendarEventId } from "../Ids.ts"

const ofAppointment = {
  appointmentId: Schema.optional(CalendarEventId).annotate({
    description: "By default the next appointment that the step is possible for"
  })
}

/** What the patient does at the scheduling provider, in test mode. */
export const AppointmentStep = Schema.Union([
  stepOf("APPOINTMENT_BOOKED", {
    eventTypeId: nonBlankUpTo(lengths.reference),
    startTime: CalendarTime.annotate({ description: "An open slot of the event type" })
  }),
  stepOf("APPOINTMENT_MOVED", { ...ofAppointment, startTime: CalendarTime })
])
export type AppointmentStep = typeof AppointmentStep.Type

/** The names of the steps of appointments. */
export const AppointmentStepName = Schema.Literals(AppointmentStep.members.map(({ fields }) => fields.step.literal))
export type AppointmentStepName = AppointmentStep["step"]
