import { Message, type MessageChannel } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import type { OutgoingMessage } from "./Delivery.ts"

/** Whose messages are asked for, and which; all with null. */
interface MessagesFilter {
  readonly to: string | null
  readonly channel: MessageChannel | null
}

const messages = rowsOf(Message)

export const makeMessagesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Keeps a user from an erasure until the transaction ends. One that is under way is waited for. */
    hold: (organizationId: OrganizationId, userId: UserId) =>
      execute(sql`
        SELECT id FROM users WHERE organization_id = ${organizationId} AND id = ${userId} FOR KEY SHARE
      `),

    /** Keeps a message; one that is there already stays as it is. */
    insert: ({ to, ...message }: OutgoingMessage, createdAt: Date) =>
      execute(sql`
        INSERT INTO messages ${sql.insert({ ...message, receiver: to, createdAt })} ON CONFLICT DO NOTHING
      `),

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
