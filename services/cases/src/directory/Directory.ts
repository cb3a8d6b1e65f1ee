import {
  AuthApi,
  type EmailOfStaff,
  type EnrolledPatient,
  type OrganizationNotFound,
  type PatientDetails,
  type PhoneNumberTaken,
  type PrescriberSummary,
  type ProviderUnknown,
  type UserSummary
} from "@care/domain/auth"
import { UserNotInOrganization } from "@care/domain/cases"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { coalesce, peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"

interface UserKey {
  readonly organizationId: OrganizationId
  readonly userId: UserId
}

/** What cases asks auth: organizations, patients, and how users are shown. */
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
    readonly findPatient: (
      organizationId: OrganizationId,
      by: { readonly email?: string | undefined; readonly phoneNumber?: string | undefined }
    ) => Effect.Effect<UserId | null>
    /**
     * How users are shown, by id; whom the organization does not know is left out. However many they are, it is one call,
     * and look-ups of requests that run at the same time travel together.
     */
    readonly userSummaries: (
      organizationId: OrganizationId,
      userIds: ReadonlyArray<UserId>
    ) => Effect.Effect<ReadonlyMap<UserId, UserSummary>>
    /** How a user is shown whom the organization knows. */
    readonly userSummary: (
      organizationId: OrganizationId,
      userId: UserId
    ) => Effect.Effect<UserSummary, UserNotInOrganization>
    readonly eligibleProviders: (
      organizationId: OrganizationId,
      patientId: UserId
    ) => Effect.Effect<ReadonlyArray<UserId>>
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

      const summariesOf = coalesce({
        batchSize: 50,
        lookUp: Effect.fnUntraced(function* (asked: ReadonlyArray<ReadonlyArray<UserKey>>) {
          const found = yield* auth.userSummaries({ payload: { users: asked.flat() } }).pipe(Effect.orDie)
          const byUser = new Map(found.map((user) => [`${user.organizationId} ${user.summary.id}`, user.summary]))
          return asked.map(
            (users) =>
              new Map(
                users.flatMap(({ organizationId, userId }) => {
                  const summary = byUser.get(`${organizationId} ${userId}`)
                  return summary === undefined ? [] : [[userId, summary] as const]
                })
              )
          )
        })
      })

      const userSummaries = (organizationId: OrganizationId, userIds: ReadonlyArray<UserId>) =>
        Effect.map(
          summariesOf([...new Set(userIds)].map((userId) => ({ organizationId, userId }))),
          (summaries) => summaries ?? new Map<UserId, UserSummary>()
        )

      return Directory.of({
        requireOrganization: (organizationId) =>
          auth.organization({ params: { organizationId } }).pipe(Effect.asVoid, Effect.catchTags(unexpected)),
        enrollPatient: (organizationId, newUserId, patient) =>
          auth.enrollPatient({ payload: { organizationId, newUserId, patient } }).pipe(Effect.catchTags(unexpected)),
        findPatient: (organizationId, by) =>
          auth.findPatient({ payload: { organizationId, ...by } }).pipe(
            Effect.map(({ userId }) => userId),
            Effect.orDie
          ),
        userSummaries,
        userSummary: Effect.fnUntraced(function* (organizationId, userId) {
          const summary = (yield* userSummaries(organizationId, [userId])).get(userId)
          return summary ?? (yield* new UserNotInOrganization({ userId }))
        }),
        eligibleProviders: (organizationId, patientId) =>
          auth.eligibleProviders({ payload: { organizationId, patientId } }).pipe(
            Effect.map(({ providerIds }) => providerIds),
            Effect.orDie
          ),
        prescriber: (organizationId, userId) =>
          auth.prescriber({ payload: { organizationId, userId } }).pipe(Effect.catchTags(unexpected))
      })
    })
  )
}
