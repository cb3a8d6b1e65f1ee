import type { CaseNotice } from "@care/domain/auth"
import { Context, Effect, Layer } from "effect"
import { CaseNoticeSending } from "./CaseNoticeSending.ts"

/** What people are told for the other services. */
export class Notices extends Context.Service<
  Notices,
  {
    /** Has people told of cases, each by a job. Safe to repeat: a key is told once. */
    readonly tell: (notices: ReadonlyArray<CaseNotice>) => Effect.Effect<void>
  }
>()("@care/auth/notices/Notices") {
  static readonly layer = Layer.effect(
    Notices,
    Effect.gen(function* () {
      const { offerAll } = yield* CaseNoticeSending
      return Notices.of({ tell: (notices) => offerAll(notices.map(({ key, ...notice }) => [notice, { key }])) })
    })
  ).pipe(Layer.provide(CaseNoticeSending.layer))
}
