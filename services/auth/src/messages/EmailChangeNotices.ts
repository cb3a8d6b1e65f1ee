import { MessageId, OrganizationId } from "@care/domain"
import { layerWorker } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { Organizations } from "../organizations/Organizations.ts"
import { Delivery } from "./Delivery.ts"

const Job = Schema.Struct({ organizationId: OrganizationId, formerEmail: Schema.String })

const text = (organizationName: string) =>
  `The email address of your account at ${organizationName} was changed, and you were signed out everywhere. If you did not ask for this, tell ${organizationName} at once.`

/**
 * Tells the address that a patient's account had before that it has another now. A job committed with the change: whoever
 * loses an account to somebody else learns of it. The new address is not told.
 */
export class EmailChangeNotices extends Context.Service<
  EmailChangeNotices,
  PersistedQueue.PersistedQueue<typeof Job.Type>
>()("@care/auth/messages/EmailChangeNotices") {
  static readonly layer = Layer.effect(
    EmailChangeNotices,
    PersistedQueue.make({ name: "email-change-notice", schema: Job, maxAttempts: 20 })
  )

  static readonly layerWorker = Layer.unwrap(
    Effect.gen(function* () {
      const delivery = yield* Delivery
      const organizations = yield* Organizations

      const perform = Effect.fnUntraced(function* ({ formerEmail, organizationId }: typeof Job.Type, id: string) {
        const { name } = yield* organizations.get(organizationId)
        yield* delivery.send({
          organizationId,
          id: MessageId.make(id),
          channel: "EMAIL",
          to: formerEmail,
          subject: `Your email address at ${name} was changed`,
          text: text(name)
        })
      })
      return layerWorker({ name: "email-change-notice", queue: yield* EmailChangeNotices, concurrency: 2, perform })
    })
  )
}
