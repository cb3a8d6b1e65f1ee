import { Message, MessageChannel, PagePosition } from "@care/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import type { OutgoingMessage } from "./Delivery.ts"

/** SQL of the local mailbox. */
export class MessagesRepo extends Context.Service<
  MessagesRepo,
  {
    /** Keeps a message; one that is there already stays as it is. */
    readonly insert: (message: OutgoingMessage) => Effect.Effect<void>
    /** Messages, newest first, to one receiver and of one channel if these are given. */
    readonly page: (
      filter: { readonly to: string | null; readonly channel: MessageChannel | null },
      before: PagePosition,
      limit: number
    ) => Effect.Effect<ReadonlyArray<Message>>
  }
>()("@care/auth/messages/MessagesRepo") {
  static readonly layer = Layer.effect(
    MessagesRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const page = SqlSchema.findAll({
        Request: Schema.Struct({
          to: Schema.NullOr(Schema.String),
          channel: Schema.NullOr(MessageChannel),
          ...PagePosition.fields,
          limit: Schema.Int
        }),
        Result: Message,
        execute: ({ channel, createdAt, id, limit, to }) => sql`
          SELECT id, channel, receiver AS to, subject, text, created_at FROM messages
          WHERE (created_at, id) < (${createdAt}, ${id})
            AND (${to}::text IS NULL OR receiver = ${to}) AND (${channel}::text IS NULL OR channel = ${channel})
          ORDER BY created_at DESC, id DESC
          LIMIT ${limit}
        `
      })

      return MessagesRepo.of({
        insert: Effect.fnUntraced(function* ({ channel, id, organizationId, subject, text, to }) {
          const createdAt = yield* DateTime.nowAsDate
          yield* sql`
            INSERT INTO messages ${sql.insert({ organizationId, id, channel, receiver: to, subject, text, createdAt })}
            ON CONFLICT DO NOTHING
          `.pipe(Effect.orDie)
        }),
        page: (filter, before, limit) => Effect.orDie(page({ ...filter, ...before, limit }))
      })
    })
  )
}
