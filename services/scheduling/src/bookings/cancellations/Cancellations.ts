import { Audit } from "@care/audit"
import type { IdempotencyConflict } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import {
  AppointmentBegun,
  AppointmentCancelled,
  AppointmentNotFound,
  AppointmentOfAnotherAgent,
  type CancelAppointment,
  customAgent,
  type ProviderRefused
} from "@care/domain/scheduling"
import { type CallOutcome, runForeignCall } from "@care/foreign-calls"
import { Job } from "@care/jobs"
import { Once, onceOperation } from "@care/once"
import { makePatientKeys } from "@care/phi"
import { inTransaction, Time } from "@care/service-kit"
import { Context, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents, type EventRow } from "../../calendar/index.ts"
import { CaseSnapshots, Directory } from "../../cases/index.ts"
import { outcomeUnknown, type ProviderNotReady, SchedulingProvider } from "../../provider/index.ts"
import { Appointments } from "../appointments/Appointments.ts"
import { providerAgent } from "../appointments/providerAgent.ts"
import { CancellationSettling } from "./CancellationSettling.ts"
import { type CancellationRow, makeCancellationsRepo } from "./CancellationsRepo.ts"

type Refusal =
  | AppointmentNotFound
  | AppointmentCancelled
  | AppointmentOfAnotherAgent
  | AppointmentBegun
  | ProviderRefused
  | ProviderNotReady
  | IdempotencyConflict

const cancelAppointment = onceOperation({
  name: "cancelAppointment",
  version: 1,
  exceedsQuota: true,
  ids: { cancellationId: Schema.String },
  answer: Schema.Struct({})
})

/** The delay of the job that settles a cancellation. By then the request has ended. */
const settlingDelay = Duration.minutes(1)

/** The cancellation of appointments by partners. */
export class Cancellations extends Context.Service<
  Cancellations,
  {
    /**
     * Cancels an appointment of a patient, at the provider first. Dies as `PeerUnavailable` when the outcome is unknown: a repeated
     * request continues it, or a job. An event that is stored here alone (a partner's own, or a test case's) is cancelled here alone.
     */
    readonly cancel: (
      organizationId: OrganizationId,
      request: CancelAppointment,
      key: string | undefined
    ) => Effect.Effect<void, Refusal>
    /** Continues a cancellation of unknown outcome. */
    readonly settle: (cancellation: {
      readonly organizationId: OrganizationId
      readonly cancellationId: string
    }) => Effect.Effect<void, ProviderNotReady>
  }
>()("@care/scheduling/cancellations/Cancellations") {
  static readonly layer = Layer.effect(
    Cancellations,
    Effect.gen(function* () {
      const appointments = yield* Appointments
      const audit = yield* Audit
      const cancelBySubject = yield* Job.makeCancelBySubject
      const directory = yield* Directory
      const events = yield* CalendarEvents
      const snapshots = yield* CaseSnapshots
      const once = yield* Once
      const patientKeys = yield* makePatientKeys
      const provider = yield* SchedulingProvider
      const repo = yield* makeCancellationsRepo
      const settling = yield* CancellationSettling
      const sql = yield* SqlClient.SqlClient
      const transaction = inTransaction(sql)

      const agentEventOf = ({ agentEventId, agentName }: EventRow) =>
        agentName === providerAgent ? agentEventId : null

      // The meeting of another agent would take place in spite of a cancellation here. Only test cases have appointments of the
      // provider's agent without a meeting.
      const isOfAnotherAgent = Effect.fnUntraced(function* ({
        agentEventId,
        agentName,
        caseId,
        organizationId
      }: EventRow) {
        if (agentName === customAgent) return false
        if (agentName !== providerAgent) return true
        return agentEventId === null && !(yield* Effect.orDie(snapshots.find(organizationId, caseId))).isTest
      })

      const openEvent = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { appointmentId, email }: CancelAppointment
      ) {
        const found = yield* events.find(organizationId, appointmentId)
        const event = yield* Effect.fromOption(found, () => new AppointmentNotFound())
        const patient = yield* directory.personByEmail(organizationId, email)
        if (!Option.exists(patient, ({ id }) => id === event.userId)) return yield* new AppointmentNotFound()
        if (event.isDeleted) return yield* new AppointmentCancelled()
        if (yield* isOfAnotherAgent(event)) return yield* new AppointmentOfAnotherAgent()
        if (event.startsAt <= (yield* Time.nowAsDate)) return yield* new AppointmentBegun()
        return event
      })

      const store = Effect.fnUntraced(function* ({ userId }: EventRow, cancellation: CancellationRow) {
        yield* repo.insert(yield* patientKeys.of(cancellation.organizationId, userId), cancellation)
      })

      // Audited here, because the provider may report the cancellation before it answers, which then ends the appointment.
      const begin = Effect.fnUntraced(function* (event: EventRow, cancellation: CancellationRow) {
        const { id: cancellationId, organizationId } = cancellation
        const { caseId, userId } = event
        yield* store(event, cancellation)
        yield* audit.changed({ organizationId, action: "CANCELLATION_ASKED", caseId, userId })
        yield* settling.offer({ organizationId, cancellationId }, { delay: settlingDelay })
      }, transaction)

      const discard = (cancellation: CancellationRow) =>
        transaction(
          Effect.andThen(repo.remove(cancellation), cancelBySubject(cancellation.organizationId, cancellation.id))
        )

      // The appointment may already be cancelled by the provider's report. The done cancellation then says who cancelled it.
      const finish = Effect.fnUntraced(function* (event: EventRow, cancellation: CancellationRow) {
        const { email: canceledBy, eventId: id, organizationId, reason } = cancellation
        yield* store(event, cancellation)
        yield* repo.markDone(cancellation)
        yield* cancelBySubject(organizationId, cancellation.id)
        const cancel = appointments.cancel({ organizationId, id }, { canceledBy, reason })
        yield* agentEventOf(event) === null ? cancel : Effect.ignore(cancel)
      }, transaction)

      // The provider's cancellation is idempotent, so nothing has to be searched before a repetition.
      const callOf = (agentEventId: string, cancellation: CancellationRow) => ({
        call: () => provider.cancel(cancellation.organizationId, agentEventId, cancellation.reason ?? undefined),
        classify: ({ _tag }: ProviderRefused | ProviderNotReady): CallOutcome =>
          _tag === "ProviderRefused" ? "REFUSED" : "BUSY",
        discard: () => discard(cancellation)
      })

      const perform = Effect.fnUntraced(function* (
        event: EventRow,
        cancellation: CancellationRow,
        isRepetition: boolean
      ) {
        const agentEventId = agentEventOf(event)
        if (agentEventId !== null) {
          yield* runForeignCall({
            ...callOf(agentEventId, cancellation),
            isRepetition,
            begin: begin(event, cancellation),
            unknown: () => outcomeUnknown
          })
        }
        return Effect.as(finish(event, cancellation), {})
      })

      const newCancellation = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { appointmentId: eventId, email, reason }: CancelAppointment,
        id: string
      ) {
        const askedAt = yield* Time.nowAsDate
        return { organizationId, id, eventId, email, reason: reason ?? null, isDone: false, askedAt }
      })

      return Cancellations.of({
        cancel: Effect.fn("Cancellations.cancel")(function* (organizationId, request, key) {
          yield* once.run(
            cancelAppointment,
            { organizationId, key, body: request },
            Effect.fnUntraced(function* ({ cancellationId }) {
              const existing = yield* repo.find(organizationId, cancellationId)
              if (Option.isNone(existing)) {
                const event = yield* openEvent(organizationId, request)
                return yield* perform(event, yield* newCancellation(organizationId, request, cancellationId), false)
              }
              if (existing.value.isDone) return Effect.succeed({})
              const found = yield* events.find(organizationId, request.appointmentId)
              const event = yield* Effect.fromOption(found, () => new AppointmentNotFound())
              return yield* perform(event, existing.value, true)
            })
          )
        }),

        settle: Effect.fn("Cancellations.settle")(function* ({ cancellationId, organizationId }) {
          const existing = yield* repo.find(organizationId, cancellationId)
          if (Option.isNone(existing) || existing.value.isDone) return
          const cancellation = existing.value
          const event = Option.getOrUndefined(yield* events.find(organizationId, cancellation.eventId))
          const agentEventId = event === undefined ? null : agentEventOf(event)
          if (event === undefined || agentEventId === null) return yield* discard(cancellation)
          yield* runForeignCall({ ...callOf(agentEventId, cancellation), isRepetition: true, begin: Effect.void }).pipe(
            Effect.andThen(finish(event, cancellation)),
            Effect.catchTags({
              // The appointment stays. `runForeignCall` has dropped the cancellation.
              ProviderRefused: () => Effect.void,
              // Another cancellation was first.
              AppointmentCancelled: () => discard(cancellation)
            })
          )
        })
      })
    })
  ).pipe(Layer.provide([Appointments.layer, CancellationSettling.layer]))
}
