import {
  directoryApi,
  type EmailOfStaff,
  type EnrolledPatient,
  type Enrollment,
  type OrganizationNotFound,
  type PatientDetails,
  type PersonSnapshot,
  type PhoneNumberTaken,
  type PrescriberSummary,
  type Profile,
  type ProviderUnknown
} from "@care/domain/auth"
import type { ReportedAddress } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { makeBatcher, peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"

/** Asks auth about organizations, patients and providers. */
export class Directory extends Context.Service<
  Directory,
  {
    readonly requireOrganization: (id: OrganizationId) => Effect.Effect<void, OrganizationNotFound>
    /** Finds the patient, or creates one with the id `newUserId`. Idempotent by that id. */
    readonly enrollPatient: (
      organizationId: OrganizationId,
      newUserId: UserId,
      patient: PatientDetails
    ) => Effect.Effect<EnrolledPatient, PhoneNumberTaken | EmailOfStaff>
    /** Returns the profile of a patient, or null for one who was removed. */
    readonly patientProfile: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<Profile | null>
    /** Returns the address of a patient, or null while no street is known. */
    readonly patientAddress: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<ReportedAddress | null>
    /** Returns the active providers of an organization. */
    readonly providers: (organizationId: OrganizationId) => Effect.Effect<ReadonlyArray<PersonSnapshot>>
    /** Adds a provider to a sandbox that has none. */
    readonly requireProvider: (sandbox: OrganizationId) => Effect.Effect<void>
    readonly prescriber: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<PrescriberSummary, ProviderUnknown>
  }
>()("@care/cases/directory/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const auth = yield* peer(directoryApi, "directory")

      const enroll = (yield* makeBatcher)(
        (payload: ReadonlyArray<Enrollment>) => auth.enrollPatients({ payload }).pipe(Effect.catchTags(unexpected)),
        { concurrency: 2, maxBatchSize: 50 }
      )

      return Directory.of({
        requireOrganization: (organizationId) =>
          auth.organization({ params: { organizationId } }).pipe(Effect.asVoid, Effect.catchTags(unexpected)),
        enrollPatient: Effect.fnUntraced(function* (organizationId, newUserId, patient) {
          const outcome = yield* enroll({ organizationId, newUserId, patient })
          return "patient" in outcome ? outcome : yield* outcome
        }),
        patientProfile: (organizationId, userId) =>
          Effect.map(
            Effect.orDie(auth.patientProfile({ params: { organizationId, userId } })),
            ({ profile }) => profile
          ),
        patientAddress: (organizationId, userId) =>
          Effect.map(
            Effect.orDie(auth.patientAddress({ params: { organizationId, userId } })),
            ({ reported }) => reported
          ),
        providers: (organizationId) => Effect.orDie(auth.providers({ params: { organizationId } })),
        requireProvider: (organizationId) => Effect.orDie(auth.requireProvider({ params: { organizationId } })),
        prescriber: (organizationId, userId) =>
          auth.prescriber({ payload: { organizationId, userId } }).pipe(Effect.catchTags(unexpected))
      })
    })
  )
}
