import type { CaseNotice, EndpointNotice } from "@care/domain/auth"
import { Context, Effect, Layer } from "effect"
import { CaseNoticeSending } from "./CaseNoticeSending.ts"
import { EndpointNoticeSending } from "./EndpointNoticeSending.ts"
import { makeNoticesRepo } from "./NoticesRepo.ts"

/** Notices that other services have sent to people and organizations. */
export class Notices extends Context.Service<
  Notices,
  {
    /** Offers a job for each notice of a case whose receiver wants email. Idempotent by the key of the notice. */
    readonly offerAll: (notices: ReadonlyArray<CaseNotice>) => Effect.Effect<void>
    /** Offers the notices that an endpoint was disabled, to the contacts of its organization. Idempotent by the key of the notice. */
    readonly offerOfEndpoint: (notice: EndpointNotice) => Effect.Effect<void>
  }
>()("@care/auth/notices/Notices") {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const { offerAll } = yield* CaseNoticeSending
      const endpointNotices = yield* EndpointNoticeSending
      const repo = yield* makeNoticesRepo

      return Notices.of({
        // The job looks the receiver up again.
        offerAll: Effect.fn("Notices.offerAll")(function* (notices) {
          const receivers = yield* repo.findReceivers(notices)
          const deliverable = notices.filter((_, index) => receivers[index] !== undefined)
          yield* offerAll(deliverable.map(({ key, ...notice }) => [notice, { key }]))
        }),

        offerOfEndpoint: Effect.fn("Notices.offerOfEndpoint")(function* ({ key, ...notice }) {
          const contacts = yield* repo.findContacts(notice.organizationId)
          if (contacts.length === 0) {
            yield* Effect.logWarning(
              `No notice is sent that the webhook endpoint ${notice.endpointId} was disabled: its organization has no contact`
            )
          }
          yield* endpointNotices.offerAll(
            contacts.map(({ email, id }) => [{ ...notice, to: email }, { key: `${key} ${id}` }])
          )
        })
      })
    })
  ).pipe(Layer.provide([CaseNoticeSending.layer, EndpointNoticeSending.layer]))
}
