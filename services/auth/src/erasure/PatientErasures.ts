import { Audit } from "@care/audit"
import type { UserNotFound } from "@care/domain/auth"
import { UserNotFound as NoUser } from "@care/domain/auth"
import { CasesApi } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { ownPatientsApi, type PatientErasure, type PatientHasActiveCase, UserIsStaff } from "@care/domain/patients"
import { peers } from "@care/domain/peers"
import { makeEndMentions } from "@care/jobs"
import { erasedText, makePatientKeys, type PatientRef } from "@care/phi"
import { inTransaction, peer, safeCause, unexpected } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Record } from "effect"
import { SqlClient } from "effect/sql"
import { People } from "../people/index.ts"
import { CodeRequests } from "../signIn/index.ts"
import { ErasurePropagation } from "./ErasurePropagation.ts"
import { makeErasureRepo } from "./ErasureRepo.ts"

// Those of auth that carry how somebody is reached, or whom they are for.
const queues = ["code-sending", "email-change-notice", "case-notice"]

/** Longer than any job may run, and any request waits. */
const untilAllEnded = "5 minutes"

/** The end of what is kept of patients (docs/decisions/0058-keys-and-erasure.md). */
export class PatientErasures extends Context.Service<
  PatientErasures,
  {
    /** Whose patient somebody is, or was. */
    readonly ownerOf: (userId: UserId) => Effect.Effect<OrganizationId, UserNotFound | UserIsStaff>
    /**
     * Erases a patient, and tells all services at once. With an active case only if that is forced: otherwise cases decides.
     * Of a patient who was erased the others are told again.
     */
    readonly erase: (
      userId: UserId,
      isForced: boolean
    ) => Effect.Effect<PatientErasure, UserNotFound | UserIsStaff | PatientHasActiveCase>
    /**
     * What an erasure that was decided ends here: one transaction, with the jobs that tell the other services. Done once, however
     * often it is asked for.
     */
    readonly eraseOwn: (patient: PatientRef) => Effect.Effect<void>
    /** Tells all services, and ends what was under way here. Fails while one of them has not done its part. */
    readonly tell: (patient: PatientRef) => Effect.Effect<void>
  }
>()("@care/auth/erasure/PatientErasures") {
  static readonly layer = Layer.effect(
    PatientErasures,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cases = yield* peer(CasesApi, "caseFacts")
      const endMentions = yield* makeEndMentions
      const keys = yield* makePatientKeys
      const people = yield* People
      const repo = yield* makeErasureRepo
      const requests = yield* CodeRequests
      const sql = yield* SqlClient.SqlClient
      const telling = yield* ErasurePropagation
      const others = yield* Effect.forEach(
        Record.keys(peers).filter((service) => service !== "auth"),
        (service) => Effect.map(peer(ownPatientsApi(service), "ownPatients"), (client) => ({ client, service }))
      )

      const ownerOf = Effect.fn("PatientErasures.ownerOf")(function* (userId: UserId) {
        const owner = yield* Effect.fromOption(yield* repo.findOwner(userId), () => new NoUser({ userId }))
        return owner.role === "USER" ? owner.organizationId : yield* new UserIsStaff({ userId })
      })

      // The key first, as whoever changes a profile has it first. One that came first, or is under way, has destroyed it: there is
      // nobody to replace then.
      const eraseOwn = Effect.fn("PatientErasures.eraseOwn")(function* (patient: PatientRef) {
        const now = yield* DateTime.nowAsDate
        if (!(yield* keys.destroy(patient.organizationId, patient.userId, now))) return
        const { email, phoneNumber } = yield* repo.lock(patient)
        const contacts = phoneNumber === null ? [email] : [email, phoneNumber]
        yield* repo.replace(patient, erasedText, now)
        yield* repo.remove(patient)
        yield* requests.forget(patient.organizationId, contacts)
        yield* endMentions(patient.organizationId, queues, [patient.userId, ...contacts])
        yield* audit.changed({ ...patient, action: "PATIENT_ERASED" })
        yield* telling.offer(patient, { delay: "2 seconds" })
        yield* telling.offer(patient, { delay: untilAllEnded })
        yield* people.changed(patient.organizationId, patient.userId)
      }, inTransaction(sql))

      const tellAll = (params: PatientRef) =>
        Effect.forEach(
          others,
          ({ client, service }) =>
            client.erase({ params }).pipe(
              Effect.timeout("10 seconds"),
              Effect.as(undefined),
              Effect.catchCause((cause) =>
                Effect.as(Effect.logWarning(`${service} is told of an erasure later`, safeCause(cause)), service)
              )
            ),
          { concurrency: "unbounded" }
        ).pipe(Effect.map((pending) => pending.filter((service) => service !== undefined)))

      return PatientErasures.of({
        ownerOf,
        eraseOwn,

        erase: Effect.fn("PatientErasures.erase")(function* (userId, isForced) {
          const organizationId = yield* ownerOf(userId)
          const patient = { organizationId, userId }
          if (!isForced && !(yield* keys.isErased(organizationId, userId))) {
            yield* Effect.catchTags(cases.eraseInactive({ params: patient }), unexpected)
          }
          yield* eraseOwn(patient)
          const pending = yield* tellAll(patient)
          const { erasedAt } = yield* repo.erasedAt(patient)
          return { ...patient, erasedAt: Option.getOrThrow(Option.fromNullishOr(erasedAt)), pending }
        }),

        tell: Effect.fn("PatientErasures.tell")(function* (patient) {
          // Removes what was stored by whoever was under way when the patient was erased.
          yield* repo.remove(patient)
          const pending = yield* tellAll(patient)
          if (pending.length > 0) yield* Effect.die(new Error(`${pending.join(", ")} did not answer`))
        })
      })
    })
  ).pipe(Layer.provide([CodeRequests.layer, ErasurePropagation.layer]))
}
