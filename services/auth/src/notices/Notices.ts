import type { CaseNotice } from "@care/domain/auth"
import { Context, Effect, Layer } from "effect"
import { CaseNoticeSending } from "./CaseNoticeSending.ts"
import { makeNoticesRepo } from "./NoticesRepo.ts"

/** What people are told for the other services. */
export class Notices extends Context.Service<
  Notices,
  {
    /** Has people told of cases who want email, each by a job. Safe to repeat: a key is told once. */
    readonly tell: (notices: ReadonlyArray<CaseNotice>) => Effect.Effect<void>
  }
>()("@care/auth/notices/Notices") {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const { offerAll } = yield* CaseNoticeSending
      const repo = yield* makeNoticesRepo

      return Notices.of({
        // Who wants no email needs no job. The others are asked again when it is sent.
        tell: Effect.fn("Notices.tell")(function* (notices) {
          const receivers = yield* repo.findReceivers(notices)
          const wanted = notices.filter((_, index) => receivers[index] !== undefined)
          yield* offerAll(wanted.map(({ key, ...notice }) => [notice, { key }]))
        })
      })
    })
  ).pipe(Layer.provide(CaseNoticeSending.layer))
}
