import { MailboxAbsent, type Message, type MessagesQuery } from "@care/domain/auth"
import { newest, type Page, pageFrom } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { Delivery } from "./Delivery.ts"
import { makeMessagesRepo } from "./MessagesRepo.ts"

/** The messages of the local mailbox. */
export class Messages extends Context.Service<
  Messages,
  { readonly list: (query: MessagesQuery) => Effect.Effect<Page<Message>, MailboxAbsent> }
>()("@care/auth/messages/Messages") {
  static readonly layer = Layer.effect(
    Messages,
    Effect.gen(function* () {
      const { hasMailbox } = yield* Delivery
      const repo = yield* makeMessagesRepo
      return Messages.of({
        list: Effect.fn("Messages.list")(function* ({ channel = null, cursor = newest, limit, to = null }) {
          if (!hasMailbox) return yield* new MailboxAbsent()
          return pageFrom(yield* repo.page({ to, channel }, cursor, limit + 1), limit)
        })
      })
    })
  ).pipe(Layer.provide(Delivery.layer))
}
