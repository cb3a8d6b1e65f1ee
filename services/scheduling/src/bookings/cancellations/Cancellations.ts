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
import { inTransaction } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CalendarEvents, type EventRow } from "../../calendar/index.ts"
import { CaseSnapshots, Directory } from "../../cases/index.ts"
import { outcomeUnknown, SchedulingProvider, type Unable } from "../../provider/index.ts"
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
  | Unable
  | IdempotencyConflict

const cancelling = onceOperation({
  name: "cancelAppointment",
  version: 1,
  exceedsQuota: true,
  ids: { cancellationId: Schema.String },
  answer: Schema.Struct({})
})

// Whoever asked the provider has its answer by then, or none.
const settleAfter = Duration.minutes(1)

/** How partners call appointments off. */
export class Cancellations extends Context.Service<
  Cancellations,
  {
    /**
     * Calls an appointment of a patient off, at the provider first. Dies as `PeerUnavailable` when nobody knows what became of
     * it: the same request again goes on, and so does a job. What is kept here alone, a partner's own event or that of a test
     * case, ends here alone.
     */
    readonly cancel: (
      organizationId: OrganizationId,
      request: CancelAppointment,
      key: string | undefined
    ) => Effect.Effect<void, Refusal>
    /** Goes on with a cancellation of which nobody knows what became. */
    readonly settle: (cancellation: {
      readonly organizationId: OrganizationId
      readonly cancellationId: string
    }) => Effect.Effect<void, Unable>
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

      // What another agent keeps would take place all the same. Of the provider's only those of test cases are not there.
      const isOfAnother = Effect.fnUntraced(function* ({ agentEventId, agentName, caseId, organizationId }: EventRow) {
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
        if (yield* isOfAnother(event)) return yield* new AppointmentOfAnotherAgent()
        if (event.startsAt <= (yield* DateTime.nowAsDate)) return yield* new AppointmentBegun()
        return event
      })

      const keep = Effect.fnUntraced(function* ({ userId }: EventRow, cancellation: CancellationRow) {
        yield* repo.insert(yield* patientKeys.of(cancellation.organizationId, userId), cancellation)
      })

      // It is recorded who asked: the provider may be faster to tell of the end than it answers, and is who ended it then.
      const begin = Effect.fnUntraced(function* (event: EventRow, cancellation: CancellationRow) {
        const { id: cancellationId, organizationId } = cancellation
        const { caseId, userId } = event
        yield* keep(event, cancellation)
        yield* audit.changed({ organizationId, action: "CANCELLATION_ASKED", caseId, userId })
        yield* settling.offer({ organizationId, cancellationId }, { delay: settleAfter })
      }, transaction)

      const drop = (cancellation: CancellationRow) =>
        transaction(
          Effect.andThen(repo.remove(cancellation), cancelBySubject(cancellation.organizationId, cancellation.id))
        )

      // The provider may have told of it before its answer came: who ended such an appointment says the cancellation that is done.
      const finish = Effect.fnUntraced(function* (event: EventRow, cancellation: CancellationRow) {
        const { email: canceledBy, eventId: id, organizationId, reason } = cancellation
        yield* keep(event, cancellation)
        yield* repo.done(cancellation)
        yield* cancelBySubject(organizationId, cancellation.id)
        const ended = appointments.end({ organizationId, id }, { canceledBy, reason })
        yield* agentEventOf(event) === null ? ended : Effect.ignore(ended)
      }, transaction)

      // The provider finds out by itself that it was asked before.
      const atProvider = (agentEventId: string, cancellation: CancellationRow) => ({
        call: () => provider.cancel(cancellation.organizationId, agentEventId, cancellation.reason ?? undefined),
        classify: ({ _tag }: ProviderRefused | Unable): CallOutcome =>
          _tag === "ProviderRefused" ? "REFUSED" : "BUSY",
        drop: () => drop(cancellation)
      })

      const perform = Effect.fnUntraced(function* (event: EventRow, cancellation: CancellationRow, wasAsked: boolean) {
        const agentEventId = agentEventOf(event)
        if (agentEventId !== null) {
          yield* runForeignCall({
            ...atProvider(agentEventId, cancellation),
            wasAsked,
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
        const askedAt = yield* DateTime.nowAsDate
        return { organizationId, id, eventId, email, reason: reason ?? null, isDone: false, askedAt }
      })

      return Cancellations.of({
        cancel: Effect.fn("Cancellations.cancel")(function* (organizationId, request, key) {
          yield* once.run(
            cancelling,
            { organizationId, key, body: request },
            Effect.fnUntraced(function* ({ cancellationId }) {
              const known = yield* repo.find(organizationId, cancellationId)
              if (Option.isNone(known)) {
                const event = yield* openEvent(organizationId, request)
                return yield* perform(event, yield* newCancellation(organizationId, request, cancellationId), false)
              }
              if (known.value.isDone) return Effect.succeed({})
              const event = yield* events.find(organizationId, request.appointmentId)
              return yield* perform(yield* Effect.fromOption(event, () => new AppointmentNotFound()), known.value, true)
            })
          )
        }),

        settle: Effect.fn("Cancellations.settle")(function* ({ cancellationId, organizationId }) {
          const known = yield* repo.find(organizationId, cancellationId)
          if (Option.isNone(known) || known.value.isDone) return
          const found = yield* events.find(organizationId, known.value.eventId)
          if (Option.isNone(found)) return yield* drop(known.value)
          const event = found.value
          const agentEventId = agentEventOf(event)
          if (agentEventId === null) return yield* drop(known.value)
          const asked = { ...atProvider(agentEventId, known.value), wasAsked: true, begin: Effect.void }
          yield* runForeignCall(asked).pipe(
            Effect.andThen(finish(event, known.value)),
            // What the provider does not want stays as it is; another cancellation may have been first.
            Effect.catchTags({
              ProviderRefused: () => Effect.void,
              AppointmentCancelled: () => drop(known.value)
            })
          )
        })
      })
    })
  ).pipe(Layer.provide([Appointments.layer, CancellationSettling.layer]))
}
