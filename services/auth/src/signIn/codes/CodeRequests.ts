import type { OrganizationId } from "@care/domain/ids"
import { inTransaction, jwtSecrets } from "@care/service-kit"
import { Context, DateTime, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { AuthSettings } from "../../AuthSettings.ts"
import { makeCodeRequestsRepo } from "./CodeRequestsRepo.ts"
import { CodeSending } from "./CodeSending.ts"
import { makeCodeSecrets } from "./makeCodeSecrets.ts"

/**
 * Requests for codes. However many come for one identifier through one organization, one job an interval is stored for
 * them. Nobody looks here whether the identifier is a patient's, so all take the same time, and a request that is dropped
 * writes as much as one that is kept.
 */
export class CodeRequests extends Context.Service<
  CodeRequests,
  {
    /** Sees to it that whoever has the identifier in the organization gets a code, unless that was asked for just now. */
    readonly ask: (organizationId: OrganizationId, identifier: string) => Effect.Effect<void>
    /** Lets the one who has these identifiers ask again at once. */
    readonly forget: (organizationId: OrganizationId, identifiers: ReadonlyArray<string>) => Effect.Effect<void>
  }
>()("@care/auth/codes/CodeRequests") {
  static readonly layer = Layer.effect(
    CodeRequests,
    Effect.gen(function* () {
      const repo = yield* makeCodeRequestsRepo
      const sending = yield* CodeSending
      const sql = yield* SqlClient.SqlClient
      const { codeResendInterval } = yield* AuthSettings
      const { identifierHashOf } = makeCodeSecrets((yield* jwtSecrets).current)

      return CodeRequests.of({
        ask: Effect.fn("CodeRequests.ask")(function* (organizationId, identifier) {
          const now = yield* DateTime.now
          const requestedAt = DateTime.toDateUtc(now)
          const notSince = DateTime.toDateUtc(DateTime.subtractDuration(now, codeResendInterval))
          const hash = identifierHashOf(organizationId, identifier)
          const isNoted = yield* repo.note(organizationId, hash, requestedAt, notSince)
          yield* isNoted ? sending.offer({ organizationId, identifier, requestedAt }) : repo.noteNothing
        }, inTransaction(sql)),
        forget: (organizationId, identifiers) =>
          repo.remove(
            organizationId,
            identifiers.map((identifier) => identifierHashOf(organizationId, identifier))
          )
      })
    })
  ).pipe(Layer.provide(CodeSending.layer))
}
