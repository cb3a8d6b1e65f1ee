import { OrganizationId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Schema } from "effect"
import { makeCodeReceiversRepo } from "./CodeReceiversRepo.ts"
import { CodeSending } from "./CodeSending.ts"

/**
 * Has a code sent to each member of staff with an email. The job looks for them, so that the answer to the request takes the same time for
 * everybody. It belongs to the platform, because the request names no organization.
 */
export class StaffCodeRequests extends Job.make<StaffCodeRequests>()("staff-code-request", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, email: Schema.String, requestedAt: Schema.Date }),
  retries: Job.upTo(8),
  concurrency: 2
}) {
  static readonly layerWorker = StaffCodeRequests.worker(
    Effect.gen(function* () {
      const receivers = yield* makeCodeReceiversRepo
      const sending = yield* CodeSending

      return Effect.fnUntraced(function* ({ email: identifier, requestedAt }) {
        for (const { isKnown, organizationId, userId: memberId } of yield* receivers.members(identifier, requestedAt)) {
          if (isKnown) yield* sending.offer({ organizationId, identifier, memberId, requestedAt })
        }
      })
    })
  )
}
