import { Audit } from "@care/audit"
import { UserNotFound } from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import {
  inactivePatientsApi,
  ownPatientsApi,
  type PatientErasure,
  type PatientHasActiveCase,
  UserIsStaff
} from "@care/domain/patients"
import { peers } from "@care/domain/peers"
import { makeEndMentions } from "@care/jobs"
import { ErasureList, erasedText, makePatientKeys, type PatientRef } from "@care/phi"
import { inTransaction, organizationScope, peer, safeCause, unexpected } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option, Record } from "effect"
import { SqlClient } from "effect/sql"
import { makeUsersRepo, PersonReplication } from "../people/index.ts"
import { CodeRequests } from "../signIn/index.ts"
import { ErasurePropagation } from "./ErasurePropagation.ts"
import { makeErasureRepo } from "./ErasureRepo.ts"

// The queues whose jobs carry a patient's address or id.
const queues = ["code-sending", "email-change-notice", "case-notice"]

// Longer than any job runs, and any request waits.
const untilAllEnded = "5 minutes"

/** Erases patients (docs/decisions/0058-keys-and-erasure.md). */
export class PatientErasures extends Context.Service<
  PatientErasures,
  {
    /** Returns the organization of a patient in the scope, also of a deleted or erased one. */
    readonly ownerOf: (
      userId: UserId,
      scope: OrganizationId | undefined
    ) => Effect.Effect<OrganizationId, UserNotFound | UserIsStaff>
    /**
     * Erases a patient in all services. A patient with an active case is refused unless the erasure is forced. The other services are
     * asked again when the patient was erased before.
     */
    readonly erase: (
      userId: UserId,
      isForced: boolean
    ) => Effect.Effect<PatientErasure, UserNotFound | UserIsStaff | PatientHasActiveCase>
    /** Erases a patient in auth, once, in one transaction with the jobs that ask the other services. */
    readonly eraseOwn: (patient: PatientRef) => Effect.Effect<void>
    /** Asks the other services to erase a patient, and deletes what was stored here meanwhile. Fails until all have answered. */
    readonly propagate: (patient: PatientRef) => Effect.Effect<void>
  }
>()("@care/auth/erasure/PatientErasures") {
  static readonly layer = Layer.effect(
    PatientErasures,
    Effect.gen(function* () {
      const audit = yield* Audit
      const cases = yield* peer(inactivePatientsApi, "inactivePatients")
      const endMentions = yield* makeEndMentions
      const keys = yield* makePatientKeys
      const list = yield* ErasureList
      const replication = yield* PersonReplication
      const repo = yield* makeErasureRepo
      const requests = yield* CodeRequests
      const sql = yield* SqlClient.SqlClient
      const users = yield* makeUsersRepo
      const propagation = yield* ErasurePropagation
      const others = yield* Effect.forEach(
        Record.keys(peers).filter((service) => service !== "auth"),
        (service) => Effect.map(peer(ownPatientsApi(service), "ownPatients"), (client) => ({ client, service }))
      )

      const ownerOf = Effect.fn("PatientErasures.ownerOf")(function* (
        userId: UserId,
        scope: OrganizationId | undefined
      ) {
        const found = yield* users.findOwner(userId, scope)
        const owner = yield* Effect.fromOption(found, () => new UserNotFound({ userId }))
        return owner.role === "USER" ? owner.organizationId : yield* new UserIsStaff({ userId })
      })

      // The key is locked first, as by a change of the profile. It is destroyed already when the patient was erased before.
      const eraseOwn = Effect.fn("PatientErasures.eraseOwn")(function* (patient: PatientRef) {
        const now = yield* DateTime.nowAsDate
        if (!(yield* keys.destroy(patient.organizationId, patient.userId, now))) return
        const user = yield* users.lockContacts(patient)
        // Nothing is stored of a patient whom the list of erasures names, and who came after the backup that was restored.
        if (Option.isNone(user)) return
        const { email, phoneNumber } = user.value
        const contacts = phoneNumber === null ? [email] : [email, phoneNumber]
        yield* users.erase(patient, erasedText, now)
        yield* repo.remove(patient)
        yield* requests.forget(patient.organizationId, contacts)
        yield* endMentions(patient.organizationId, queues, [patient.userId, ...contacts])
        yield* audit.changed({ ...patient, action: "PATIENT_ERASED" })
        yield* propagation.offer(patient, { delay: "2 seconds" })
        yield* propagation.offer(patient, { delay: untilAllEnded })
        yield* replication.changed(patient.organizationId, [patient.userId])
      }, inTransaction(sql))

      const askAll = (params: PatientRef) =>
        Effect.forEach(
          others,
          ({ client, service }) =>
            client.erase({ params }).pipe(
              Effect.timeout("10 seconds"),
              Effect.as(undefined),
              Effect.catchCause((cause) =>
                Effect.as(
                  Effect.logWarning(`${service} did not answer an erasure, which is repeated`, safeCause(cause)),
                  service
                )
              )
            ),
          { concurrency: "unbounded" }
        ).pipe(Effect.map((pending) => pending.filter((service) => service !== undefined)))

      return PatientErasures.of({
        ownerOf,
        eraseOwn,

        erase: Effect.fn("PatientErasures.erase")(function* (userId, isForced) {
          const organizationId = yield* ownerOf(userId, yield* organizationScope)
          const patient = { organizationId, userId }
          if (!isForced && !(yield* keys.isErased(organizationId, userId))) {
            yield* Effect.catchTags(cases.erase({ params: patient }), unexpected)
          }
          yield* eraseOwn(patient)
          // Before the answer, because only what is on the list survives a restored backup.
          yield* list.add(patient)
          const pending = yield* askAll(patient)
          const { erasedAt } = yield* repo.erasedAt(patient)
          return { ...patient, erasedAt: Option.getOrThrow(Option.fromNullishOr(erasedAt)), pending }
        }),

        propagate: Effect.fn("PatientErasures.propagate")(function* (patient) {
          yield* list.add(patient)
          // Deletes what was stored by requests and jobs that ran when the patient was erased.
          yield* repo.remove(patient)
          const pending = yield* askAll(patient)
          if (pending.length > 0) yield* Effect.die(new Error(`${pending.join(", ")} did not answer`))
        })
      })
    })
  ).pipe(Layer.provide([CodeRequests.layer, ErasurePropagation.layer]))
}
