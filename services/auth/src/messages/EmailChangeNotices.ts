import { MessageId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Schema } from "effect"
import { Organizations } from "../organizations/index.ts"
import { Delivery } from "./Delivery.ts"
import { NoticeLimits } from "./notices/NoticeLimits.ts"

const text = (organizationName: string) =>
  `The email address of your account at ${organizationName} was changed, and you were signed out everywhere. If you did not ask for this, tell ${organizationName} at once.`

/**
 * Sends a notice to the former email of a patient's account, so that a patient who loses an account to another person learns of it. The job
 * is committed with the change. The notice does not name the new email.
 */
export class EmailChangeNotices extends Job.make<EmailChangeNotices>()("email-change-notice", {
  version: 1,
  // The user's id lets an erasure find the job.
  schema: Schema.Struct({ organizationId: OrganizationId, userId: UserId, formerEmail: Schema.String }),
  retries: Job.forMessages,
  concurrency: 2
}) {
  static readonly layerWorker = EmailChangeNotices.worker(
    Effect.gen(function* () {
      const delivery = yield* Delivery
      const limits = yield* NoticeLimits
      const organizations = yield* Organizations

      return Effect.fnUntraced(function* ({ formerEmail, organizationId, userId }, id) {
        const { name } = yield* organizations.get(organizationId)
        const message = { organizationId, userId, id: MessageId.make(id), to: formerEmail }
        if (!(yield* limits.admit({ ...message, kind: "EMAIL_CHANGED" }))) return
        yield* delivery.send({
          ...message,
          channel: "EMAIL",
          subject: `Your email address at ${name} was changed`,
          text: text(name)
        })
      })
    })
  )
}
