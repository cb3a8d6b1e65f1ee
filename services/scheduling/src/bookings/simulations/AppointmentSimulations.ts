import { callers, lastMoment, StepRefused } from "@care/domain/http"
import { CalendarEventId, type CaseId, type OrganizationId } from "@care/domain/ids"
import {
  AppointmentNotFound,
  type AppointmentStep,
  type AppointmentStepName,
  type EventTypeShared,
  type EventTypeUnknown,
  type ProviderRefused,
  SlotMissing,
  type SlotTaken
} from "@care/domain/scheduling"
import { CurrentIdentity, execute, inTransaction, newest, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents, type EventRow } from "../../calendar/index.ts"
import { CaseSnapshots, Directory } from "../../cases/index.ts"
import { dieOutcomeUnknown, ProviderApi } from "../../provider/index.ts"
import { Appointments } from "../appointments/Appointments.ts"
import { providerAgent } from "../appointments/providerAgent.ts"
import { NewAppointments } from "../NewAppointments.ts"
import { simulatedMeeting } from "./simulatedMeeting.ts"

const maxEvents = 100

type Moved = Extract<AppointmentStep, { readonly step: "APPOINTMENT_MOVED" }>
type Booked = Extract<AppointmentStep, { readonly step: "APPOINTMENT_BOOKED" }>

type Refusal =
  | StepRefused
  | AppointmentNotFound
  | EventTypeUnknown
  | EventTypeShared
  | SlotMissing
  | SlotTaken
  | ProviderRefused

/** What patients do with appointments of sandboxes' cases. */
export class AppointmentSimulations extends Context.Service<
  AppointmentSimulations,
  {
    /** Returns the steps that are possible for a case, and whether it has an appointment that has begun. */
    readonly possible: (
      organizationId: OrganizationId,
      caseId: CaseId
    ) => Effect.Effect<{ readonly steps: ReadonlyArray<AppointmentStepName>; readonly hasBegun: boolean }>
    /** Takes a step, once for each id: an appointment is booked at the provider, and a move is what the provider would report. */
    readonly simulate: (
      organizationId: OrganizationId,
      caseId: CaseId,
      id: string,
      step: AppointmentStep
    ) => Effect.Effect<void, Refusal>
  }
>()("@care/scheduling/simulations/AppointmentSimulations") {
  static readonly layer = Layer.effect(
    AppointmentSimulations,
    Effect.gen(function* () {
      const appointments = yield* Appointments
      const bookings = yield* NewAppointments
      const directory = yield* Directory
      const events = yield* CalendarEvents
      const { hasTestAccount } = yield* ProviderApi
      const snapshots = yield* CaseSnapshots
      const sql = yield* SqlClient.SqlClient

      const appointmentsOf = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
        const found = yield* events.ofCase(organizationId, caseId, newest, maxEvents)
        return found.filter(({ agentName }) => agentName === providerAgent)
      })

      const isAhead = Effect.map(
        Time.nowMillis,
        (now) =>
          ({ startsAt }: Pick<EventRow, "startsAt">) =>
            startsAt.getTime() > now
      )

      const move = Effect.fnUntraced(
        function* (organizationId: OrganizationId, caseId: CaseId, id: string, { appointmentId, startTime }: Moved) {
          const meetingId = `${simulatedMeeting}${id}`
          yield* execute(sql`SELECT pg_advisory_xact_lock(hashtext('simulation'), hashtext(${caseId}))`)
          const ofCase = yield* appointmentsOf(organizationId, caseId)
          if (ofCase.some(({ agentEventId }) => agentEventId === meetingId)) return
          const named = ofCase.filter((event) => appointmentId === undefined || event.id === appointmentId)
          if (named.length === 0 && appointmentId !== undefined) return yield* new AppointmentNotFound()
          const isFuture = yield* isAhead
          // The earliest one.
          const event = named.findLast((each) => each.agentEventId !== null && isFuture(each))
          if (event === undefined) return yield* new StepRefused()
          const length = event.endsAt.getTime() - event.startsAt.getTime()
          const endsAt = new Date(startTime.getTime() + length)
          if (!isFuture({ startsAt: startTime }) || endsAt > lastMoment) return yield* new SlotMissing()
          const { cancelUrl, host, meetingLink, rescheduleUrl, timezone, title } = event
          const links = { meetingLink, cancelUrl, rescheduleUrl }
          const meeting = { agentEventId: meetingId, title, startsAt: startTime, endsAt, timezone, host, ...links }
          const report = { type: "invitee.created", agentEventId: meetingId, movedFrom: event.agentEventId } as const
          yield* appointments.observe({ ...report, eventTypeId: "", email: "", meeting }, yield* Time.nowAsDate)
        },
        Effect.provideService(CurrentIdentity, { _tag: callers.scheduling.kind }),
        inTransaction(sql)
      )

      const book = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        caseId: CaseId,
        id: string,
        { eventTypeId, startTime }: Booked
      ) {
        if (!hasTestAccount) return yield* new StepRefused()
        if (!(yield* isAhead)({ startsAt: startTime })) return yield* new SlotMissing()
        const snapshot = yield* Effect.orDie(snapshots.find(organizationId, caseId))
        const patient = (yield* directory.people(organizationId, [snapshot.userId])).get(snapshot.userId)
        const { email } = yield* Effect.orDie(Effect.fromNullishOr(patient))
        const request = { eventTypeId, startTime, email, timezone: "UTC", location: "google_conference" } as const
        yield* bookings.bookFor(snapshot, request, CalendarEventId.make(id)).pipe(Effect.catchTags(dieOutcomeUnknown))
      })

      return AppointmentSimulations.of({
        possible: Effect.fn("AppointmentSimulations.possible")(function* (organizationId, caseId) {
          const ofCase = yield* appointmentsOf(organizationId, caseId)
          const isFuture = yield* isAhead
          const isMovable = ofCase.some((event) => event.agentEventId !== null && isFuture(event))
          return {
            steps: [
              ...(hasTestAccount ? ["APPOINTMENT_BOOKED" as const] : []),
              ...(isMovable ? ["APPOINTMENT_MOVED" as const] : [])
            ],
            hasBegun: ofCase.some((event) => !isFuture(event))
          }
        }),

        simulate: (organizationId, caseId, id, step) =>
          step.step === "APPOINTMENT_MOVED"
            ? move(organizationId, caseId, id, step)
            : book(organizationId, caseId, id, step)
      })
    })
  ).pipe(Layer.provide([Appointments.layer, NewAppointments.layer, ProviderApi.layer]))
}
