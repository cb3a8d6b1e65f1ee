import { Message, type MessageChannel } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { execute, rowsOf } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"
import { allStaff, unerasedUser } from "../people/index.ts"
import type { OutgoingMessage } from "./OutgoingMessage.ts"

/** The receiver and the channel of messages: null stands for all. */
interface MessagesFilter {
  readonly to: string | null
  readonly channel: MessageChannel | null
}

const messages = rowsOf(Message)

export const makeMessagesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /** Stores a message once, unless its user was erased. */
    insert: ({ channel, id, organizationId, subject, text, to, userId }: OutgoingMessage, createdAt: Date) =>
      execute(sql`
        INSERT INTO messages (organization_id, id, user_id, channel, receiver, subject, text, created_at)
        SELECT ${organizationId}::uuid, ${id}::uuid, ${userId}::uuid, ${channel}, ${to}, ${subject}::text, ${text},
               ${createdAt}::timestamptz
        ${userId === null ? sql`` : unerasedUser(sql, organizationId, userId)}
        ON CONFLICT DO NOTHING
      `),

    /** Removes the messages of an organization that are older than its newest. */
    removeOlder: (organizationId: OrganizationId, newest: number) =>
      execute(sql`
        DELETE FROM messages WHERE organization_id = ${organizationId} AND (created_at, id) <= (
          SELECT created_at, id FROM messages WHERE organization_id = ${organizationId}
          ORDER BY created_at DESC, id DESC OFFSET ${newest} LIMIT 1
        )
      `),

    /** Returns messages of before a position, newest first. */
    page: ({ channel, to }: MessagesFilter, before: PagePosition, limit: number) =>
      messages.all(sql`
        SELECT id, channel, receiver AS to, subject, text, created_at FROM messages
        WHERE (created_at, id) < (${before.createdAt}, ${before.id})
          AND (${to}::text IS NULL OR receiver = ${to}) AND (${channel}::text IS NULL OR channel = ${channel})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `),

    /** The same of one organization, to patients: whoever reads a code of its staff could sign in as they do. */
    pageOf: (organizationId: OrganizationId, to: string | null, before: PagePosition, limit: number) =>
      messages.all(sql`
        SELECT id, channel, receiver AS to, subject, text, created_at FROM messages
        WHERE organization_id = ${organizationId} AND (created_at, id) < (${before.createdAt}, ${before.id})
          AND (${to}::text IS NULL OR receiver = ${to})
          AND NOT EXISTS (
            SELECT FROM ${sql.literal(allStaff)} AS staff
            WHERE staff.organization_id = messages.organization_id AND staff.id = messages.user_id
          )
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `)
  }
})
