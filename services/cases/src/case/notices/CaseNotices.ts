import { AuthApi } from "@care/domain/auth"
import { counts } from "@care/domain/http"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { makeNoticesRepo } from "./NoticesRepo.ts"
import { noticeOf } from "./noticeOf.ts"

/**
 * Has people told of what happens to cases. What they are told of is in the record of the case, so whoever changes a case
 * need not think of them, and nothing that was committed is forgotten.
 */
export class CaseNotices extends Context.Service<
  CaseNotices,
  {
    /**
     * Hands what awaits notice to auth, the oldest first: whether there may be more. Safe to repeat, and for several at once:
     * auth sends each once.
     */
    readonly tellNext: Effect.Effect<boolean>
  }
>()("@care/cases/notices/CaseNotices") {
  static readonly layer = Layer.effect(
    CaseNotices,
    Effect.gen(function* () {
      const auth = yield* peer(AuthApi, "notices")
      const repo = yield* makeNoticesRepo

      return CaseNotices.of({
        tellNext: Effect.gen(function* () {
          const activities = yield* repo.awaiting(counts.notices)
          if (activities.length === 0) return false
          const notices = activities.flatMap(noticeOf)
          if (notices.length > 0) yield* Effect.orDie(auth.ofCases({ payload: { notices } }))
          yield* repo.endNotice(activities)
          return activities.length === counts.notices
        })
      })
    })
  )
}
