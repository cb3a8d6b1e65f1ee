import type { CaseNotice } from "@care/domain/auth"
import { inTransaction } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
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
      const { offer } = yield* CaseNoticeSending
      const sql = yield* SqlClient.SqlClient

      return Notices.of({
        tell: Effect.fn("Notices.tell")(function* (notices: ReadonlyArray<CaseNotice>) {
          yield* Effect.forEach(notices, ({ key, ...notice }) => offer(notice, { key }), { discard: true })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(CaseNoticeSending.layer))
}
