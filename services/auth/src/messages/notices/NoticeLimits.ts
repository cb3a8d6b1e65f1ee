import { createHmac, hkdfSync } from "node:crypto"
import type { MessageId, OrganizationId, UserId } from "@care/domain/ids"
import { currentMode, Time } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Metric, Redacted } from "effect"
import { AuthSettings } from "../../AuthSettings.ts"
import { jwtSecrets } from "../../jwtSecrets.ts"
import { makeNoticeCountsRepo } from "./NoticeCountsRepo.ts"

const leftOut = Metric.counter("notices_left_out_total", {
  description: "Notices that were not sent, because their receiver had reached the limit of their kind for a day",
  incremental: true
})

interface LimitedNotice {
  readonly organizationId: OrganizationId
  /** The receiver, or null for the organization itself. */
  readonly userId: UserId | null
  readonly kind: string
  readonly to: string
  /** The same for each attempt. */
  readonly id: MessageId
}

/**
 * Limits the notices that an address gets from an organization: NOTICES_PER_DAY of each kind, within a day of the first. One-time codes
 * have caps of their own.
 */
export class NoticeLimits extends Context.Service<
  NoticeLimits,
  {
    /** Returns whether a notice may be sent. Otherwise it is logged, without the address, and counted. */
    readonly admit: (notice: LimitedNotice) => Effect.Effect<boolean>
  }
>()("@care/auth/notices/NoticeLimits") {
  static readonly layer = Layer.effect(
    NoticeLimits,
    Effect.gen(function* () {
      const { noticesPerDay } = yield* AuthSettings
      const repo = yield* makeNoticeCountsRepo
      // With another secret the counts of a day begin anew.
      const [secret] = yield* jwtSecrets
      const pepper = Buffer.from(hkdfSync("sha512", Redacted.value(secret), "", "care notices", 64))
      const hashOf = (organizationId: OrganizationId, to: string) =>
        createHmac("sha3-512", pepper).update(`${organizationId}\n${to}`).digest("hex")

      return NoticeLimits.of({
        admit: Effect.fn("NoticeLimits.admit")(function* ({ id, kind, organizationId, to, userId }) {
          const now = yield* Time.now
          const counted = { id, kind, organizationId, receiverHash: hashOf(organizationId, to) }
          const dayAgo = DateTime.toDateUtc(DateTime.subtract(now, { days: 1 }))
          if (yield* repo.count(counted, DateTime.toDateUtc(now), dayAgo, noticesPerDay)) return true
          yield* Effect.logWarning(
            "A notice is not sent: its receiver reached the limit of its kind for a day (NOTICES_PER_DAY)"
          ).pipe(Effect.annotateLogs({ organizationId, kind, ...(userId !== null && { userId }) }))
          yield* Metric.update(Metric.withAttributes(leftOut, { kind, mode: yield* currentMode }), 1)
          return false
        })
      })
    })
  )
}
