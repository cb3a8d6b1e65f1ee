import { MessageId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Effect, Schema } from "effect"
import { Organizations } from "../organizations/index.ts"
import { Delivery } from "./Delivery.ts"
import { NoticeLimits } from "./notices/NoticeLimits.ts"

const text = (organizationName: string) =>
  `The email address of your account at ${organizationName} was changed, and you were signed out everywhere. If you did not ask for this, tell ${organizationName} at once.`

/**
 * Tells the address that a patient's account had before that it has another now. A job committed with the change: whoever
 * loses an account to somebody else learns of it. The new address is not told.
 */
export class EmailChangeNotices extends Job.make<EmailChangeNotices>()("email-change-notice", {
  version: 1,
  // The patient is named so that it ends with them: nothing else knows whose address it was.
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
