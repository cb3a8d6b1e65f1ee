import { MessageId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Option, Schema } from "effect"
import { Delivery } from "../../messages/index.ts"
import { makeOperatorsRepo } from "./OperatorsRepo.ts"

/** Sends a message to a member of staff whose sign-in was reset. The job is committed with the reset. */
export class ResetNotices extends Job.make<ResetNotices>()("sign-in-reset-notice", {
  version: 1,
  schema: Schema.Struct({ organizationId: OrganizationId, userId: UserId }),
  retries: Job.forMessages,
  concurrency: 1
}) {
  static readonly layerWorker = ResetNotices.worker(
    Effect.gen(function* () {
      const delivery = yield* Delivery
      const repo = yield* makeOperatorsRepo

      return Effect.fnUntraced(function* ({ organizationId, userId }, id) {
        const receiver = yield* repo.receiver(organizationId, userId)
        if (Option.isNone(receiver)) return
        const { email, organizationName } = receiver.value
        yield* delivery.send({
          organizationId,
          userId,
          id: MessageId.make(id),
          channel: "EMAIL",
          to: email,
          subject: `Your sign-in at ${organizationName} was reset`,
          text: `An administrator removed your passkeys and recovery codes at ${organizationName}, and ended your sessions. Sign in with a code to your email, and enrol a passkey again. If you did not expect this, tell ${organizationName} at once.`
        })
      })
    })
  )
}
