import {
  MailboxAbsent,
  type Message,
  type MessagesQuery,
  type TestMessage,
  type TestMessagesQuery
} from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { hasNoSms } from "@care/domain/magicValues"
import { newest, type Page, pageFrom } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { Delivery } from "./Delivery.ts"
import { makeMessagesRepo } from "./MessagesRepo.ts"

/** The messages that are stored instead of being delivered. */
export class Messages extends Context.Service<
  Messages,
  {
    /** Returns a page of the local mailbox. */
    readonly list: (query: MessagesQuery) => Effect.Effect<Page<Message>, MailboxAbsent>
    /** Returns a page of a sandbox's messages. */
    readonly listOf: (organizationId: OrganizationId, query: TestMessagesQuery) => Effect.Effect<Page<TestMessage>>
  }
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
        }),
        listOf: Effect.fn("Messages.listOf")(function* (organizationId, { cursor = newest, limit, to = null }) {
          const { data, nextCursor } = pageFrom(yield* repo.pageOf(organizationId, to, cursor, limit + 1), limit)
          return { data: data.map((message) => ({ ...message, isDelivered: !hasNoSms(message.to) })), nextCursor }
        })
      })
    })
  ).pipe(Layer.provide(Delivery.layer))
}
