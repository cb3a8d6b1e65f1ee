import { noticesApi } from "@care/domain/auth"
import { counts } from "@care/domain/http"
import { peer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { makeCaseNoticesRepo } from "./CaseNoticesRepo.ts"
import { noticeOf } from "./noticeOf.ts"

/** Sends notices of the activity of cases. The activity is the queue of notices, so that no committed change is forgotten. */
export class CaseNotices extends Context.Service<
  CaseNotices,
  {
    /** Sends the oldest notices to auth, and returns whether there may be more. Idempotent: auth sends each notice once. */
    readonly sendNext: Effect.Effect<boolean>
  }
>()("@care/cases/notices/CaseNotices") {
  static readonly layer = Layer.effect(
    CaseNotices,
    Effect.gen(function* () {
      const auth = yield* peer(noticesApi, "notices")
      const repo = yield* makeCaseNoticesRepo

      return CaseNotices.of({
        sendNext: Effect.gen(function* () {
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
