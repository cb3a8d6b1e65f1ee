import { Message, type MessageChannel } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { execute, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { erasedEmail } from "./erasedEmail.ts"
import type { OutgoingMessage } from "./OutgoingMessage.ts"

/** Whose messages are asked for, and which; all with null. */
interface MessagesFilter {
  readonly to: string | null
  readonly channel: MessageChannel | null
}

const messages = rowsOf(Message)

export const makeMessagesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /**
     * Keeps a message; one that is there already stays as it is. Of a user who was erased there is none: either the erasure waits,
     * and removes the message, or it came first, is waited for, and is seen in the row of the user.
     */
    insert: ({ channel, id, organizationId, subject, text, to, userId }: OutgoingMessage, createdAt: Date) => {
      const unlessErased =
        userId === null
          ? sql``
          : sql`
              FROM users WHERE organization_id = ${organizationId} AND id = ${userId} AND email <> ${erasedEmail(userId)}
              FOR KEY SHARE
            `
      return execute(sql`
        INSERT INTO messages (organization_id, id, user_id, channel, receiver, subject, text, created_at)
        SELECT ${organizationId}::uuid, ${id}::uuid, ${userId}::uuid, ${channel}, ${to}, ${subject}::text, ${text},
               ${createdAt}::timestamptz
        ${unlessErased}
        ON CONFLICT DO NOTHING
      `)
    },

    /** Newest first. */
    page: ({ channel, to }: MessagesFilter, before: PagePosition, limit: number) =>
      messages.all(sql`
        SELECT id, channel, receiver AS to, subject, text, created_at FROM messages
        WHERE (created_at, id) < (${before.createdAt}, ${before.id})
          AND (${to}::text IS NULL OR receiver = ${to}) AND (${channel}::text IS NULL OR channel = ${channel})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
