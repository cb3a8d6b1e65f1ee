import {
  AuthApi,
  type EmailOfStaff,
  type EnrolledPatient,
  type OrganizationNotFound,
  type PatientDetails,
  type PhoneNumberTaken,
  type PrescriberSummary,
  type ProviderUnknown
} from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"

/** What cases asks auth: organizations, patients and providers. */
export class Directory extends Context.Service<
  Directory,
  {
    readonly requireOrganization: (id: OrganizationId) => Effect.Effect<void, OrganizationNotFound>
    /** Finds the patient, or makes one with the given id. The same id again leads to the same patient. */
    readonly enrollPatient: (
      organizationId: OrganizationId,
      newUserId: UserId,
      patient: PatientDetails
    ) => Effect.Effect<EnrolledPatient, PhoneNumberTaken | EmailOfStaff>
    /** Who may be assigned a case of each of the patients, in one call; of many providers a bounded number. */
    readonly eligibleProviders: (
      organizationId: OrganizationId,
      patientIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyMap<UserId, ReadonlyArray<UserId>>>
    readonly prescriber: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<PrescriberSummary, ProviderUnknown>
  }
>()("@care/cases/directory/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "directory")

      return Directory.of({
        requireOrganization: (organizationId) =>
          auth.organization({ params: { organizationId } }).pipe(Effect.asVoid, Effect.catchTags(unexpected)),
        enrollPatient: (organizationId, newUserId, patient) =>
          auth.enrollPatient({ payload: { organizationId, newUserId, patient } }).pipe(Effect.catchTags(unexpected)),
        eligibleProviders: (organizationId, patientIds) =>
          auth.eligibleProviders({ payload: { organizationId, patientIds } }).pipe(
            Effect.map(
              (groups) =>
                new Map(groups.flatMap(({ patientIds, providerIds }) => patientIds.map((id) => [id, providerIds])))
            ),
            Effect.orDie
          ),
        prescriber: (organizationId, userId) =>
          auth.prescriber({ payload: { organizationId, userId } }).pipe(Effect.catchTags(unexpected))
      })
    })
  )
}
