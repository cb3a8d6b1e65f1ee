import type { CaseNotice, EndpointNotice } from "@care/domain/auth"
import { Context, Effect, Layer } from "effect"
import { CaseNoticeSending } from "./CaseNoticeSending.ts"
import { EndpointNoticeSending } from "./EndpointNoticeSending.ts"
import { makeNoticesRepo } from "./NoticesRepo.ts"

/** What people are told for the other services. */
export class Notices extends Context.Service<
  Notices,
  {
    /** Has people told of cases who want email, each by a job. Safe to repeat: a key is told once. */
    readonly tell: (notices: ReadonlyArray<CaseNotice>) => Effect.Effect<void>
    /**
     * Has an organization told that one of its endpoints was disabled: at its contact, or, when it has none, its active
     * members of the role ADMIN who want email. Safe to repeat: a key is told once.
     */
    readonly tellOfEndpoint: (notice: EndpointNotice) => Effect.Effect<void>
  }
>()("@care/auth/notices/Notices") {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const { offerAll } = yield* CaseNoticeSending
      const ofEndpoints = yield* EndpointNoticeSending
      const repo = yield* makeNoticesRepo

      return Notices.of({
        // Who wants no email needs no job. The others are asked again when it is sent.
        tell: Effect.fn("Notices.tell")(function* (notices) {
          const receivers = yield* repo.findReceivers(notices)
          const wanted = notices.filter((_, index) => receivers[index] !== undefined)
          yield* offerAll(wanted.map(({ key, ...notice }) => [notice, { key }]))
        }),

        tellOfEndpoint: Effect.fn("Notices.tellOfEndpoint")(function* ({ key, ...notice }) {
          const contacts = yield* repo.findContacts(notice.organizationId)
          if (contacts.length === 0) {
            yield* Effect.logWarning(
              `Nobody is told that the webhook endpoint ${notice.endpointId} was disabled: its organization has no contact`
            )
          }
          yield* ofEndpoints.offerAll(
            contacts.map(({ email, id }) => [{ ...notice, to: email }, { key: `${key} ${id}` }])
          )
        })
      })
    })
  ).pipe(Layer.provide([CaseNoticeSending.layer, EndpointNoticeSending.layer]))
}
