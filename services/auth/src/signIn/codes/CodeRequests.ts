import { type OrganizationId, platformId } from "@care/domain/ids"
import { inTransaction, Time } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { jwtSecrets } from "../../jwtSecrets.ts"
import { makeCodeRequestsRepo } from "./CodeRequestsRepo.ts"
import { CodeSending } from "./CodeSending.ts"
import { makeCodeSecrets } from "./makeCodeSecrets.ts"
import { StaffCodeRequests } from "./StaffCodeRequests.ts"

/**
 * Requests for codes. In each interval one job is stored for an identifier of an organization, however many requests come. A request
 * takes the same time for everybody: it does not look for the patient, and a dropped request writes as much as a stored one.
 */
export class CodeRequests extends Context.Service<
  CodeRequests,
  {
    /** Has a code sent to the patient with this identifier, unless one was requested within the interval. */
    readonly ask: (organizationId: OrganizationId, identifier: string) => Effect.Effect<void>
    /** Has a code sent to each member of staff with this email, in the same way. */
    readonly askForStaff: (email: string) => Effect.Effect<void>
    /** Lets codes be requested for these identifiers again immediately. */
    readonly forget: (organizationId: OrganizationId, identifiers: ReadonlyArray<string>) => Effect.Effect<void>
    readonly forgetStaff: (email: string) => Effect.Effect<void>
  }
>()("@care/auth/codes/CodeRequests") {
  static readonly layer = Layer.effect(
    CodeRequests,
    Effect.gen(function* () {
      const repo = yield* makeCodeRequestsRepo
      const sending = yield* CodeSending
      const staffRequests = yield* StaffCodeRequests
      const sql = yield* SqlClient.SqlClient
      const { codeResendInterval } = yield* AuthSettings
      const peppers = makeCodeSecrets(yield* jwtSecrets)

      const store = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        identifier: string,
        offer: (requestedAt: Date) => Effect.Effect<void>
      ) {
        const now = yield* Time.now
        const requestedAt = DateTime.toDateUtc(now)
        const notSince = DateTime.toDateUtc(DateTime.subtractDuration(now, codeResendInterval))
        const hash = peppers.current.identifierHashOf(organizationId, identifier)
        const isStored = yield* repo.store(organizationId, hash, requestedAt, notSince)
        yield* isStored ? offer(requestedAt) : repo.storeNothing
      }, inTransaction(sql))

      const forget = (organizationId: OrganizationId, identifiers: ReadonlyArray<string>) =>
        repo.remove(
          organizationId,
          identifiers.flatMap((identifier) =>
            peppers.all.map(({ identifierHashOf }) => identifierHashOf(organizationId, identifier))
          )
        )

      // No patient belongs to the platform, so that requests of patients and of staff never count as each other's.
      return CodeRequests.of({
        ask: Effect.fn("CodeRequests.ask")((organizationId, identifier) =>
          store(organizationId, identifier, (requestedAt) => sending.offer({ organizationId, identifier, requestedAt }))
        ),
        askForStaff: Effect.fn("CodeRequests.askForStaff")((email) =>
          store(platformId, email, (requestedAt) =>
            staffRequests.offer({ organizationId: platformId, email, requestedAt })
          )
        ),
        forget,
        forgetStaff: (email) => forget(platformId, [email])
      })
    })
  ).pipe(Layer.provide([CodeSending.layer, StaffCodeRequests.layer]))
}
