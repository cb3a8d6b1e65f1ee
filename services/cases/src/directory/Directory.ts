import { randomUUID } from "node:crypto"
import {
  AuthApi,
  type EnrolledPatient,
  type OrganizationId,
  type OrganizationNotFound,
  type PatientCompletion,
  type PatientDetails,
  type PhoneNumberTaken,
  UserId,
  type UserSummary
} from "@care/domain"
import { coalesce, peerHttpClient, readSettings } from "@care/service-kit"
import { Config, Context, Effect, Layer } from "effect"
import { HttpApiClient } from "effect/http-api"

/** What cases asks auth: organizations, patients, and how users are shown. */
export class Directory extends Context.Service<
  Directory,
  {
    readonly requireOrganization: (id: OrganizationId) => Effect.Effect<void, OrganizationNotFound>
    readonly enrollPatient: (
      organizationId: OrganizationId,
      patient: PatientDetails
    ) => Effect.Effect<EnrolledPatient, PhoneNumberTaken>
    readonly completePatient: (completion: PatientCompletion) => Effect.Effect<void>
    readonly findPatient: (
      organizationId: OrganizationId,
      by: { readonly email?: string | undefined; readonly phoneNumber?: string | undefined }
    ) => Effect.Effect<UserId | null>
    /** How a user is shown. Look-ups of requests that run at the same time travel in one call. */
    readonly userSummary: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<UserSummary>
  }
>()("@care/cases/directory/Directory") {
  static readonly layer = Layer.effect(
    Directory,
    Effect.gen(function* () {
      const baseUrl = yield* readSettings(Config.String("AUTH_URL").pipe(Config.withDefault("http://127.0.0.1:8081")))
      const auth = yield* HttpApiClient.group(AuthApi, {
        group: "directory",
        httpClient: yield* peerHttpClient("auth", baseUrl)
      })
      const unexpected = { HttpClientError: Effect.die, SchemaError: Effect.die } as const

      const summaryOf = coalesce({
        batchSize: 200,
        lookUp: Effect.fnUntraced(function* (users: ReadonlyArray<{ organizationId: OrganizationId; userId: UserId }>) {
          const found = yield* auth.userSummaries({ payload: { users } }).pipe(Effect.orDie)
          const byId = new Map(found.map((summary) => [summary.id, summary]))
          return users.map(({ userId }) => byId.get(userId))
        })
      })

      return Directory.of({
        requireOrganization: (organizationId) =>
          auth.organization({ params: { organizationId } }).pipe(Effect.asVoid, Effect.catchTags(unexpected)),
        enrollPatient: (organizationId, patient) =>
          auth
            .enrollPatient({ payload: { organizationId, newUserId: UserId.make(randomUUID()), patient } })
            .pipe(Effect.catchTags(unexpected)),
        completePatient: (completion) => auth.completePatient({ payload: completion }).pipe(Effect.orDie),
        findPatient: (organizationId, by) =>
          auth.findPatient({ payload: { organizationId, ...by } }).pipe(
            Effect.map(({ userId }) => userId),
            Effect.orDie
          ),
        userSummary: (organizationId, userId) =>
          Effect.flatMap(summaryOf({ organizationId, userId }), (summary) =>
            summary === undefined
              ? Effect.die(new Error(`auth does not know the user ${userId}`))
              : Effect.succeed(summary)
          )
      })
    })
  )
}
