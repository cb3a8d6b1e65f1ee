import { Message, type MessageChannel } from "@care/domain/auth"
import type { PagePosition } from "@care/domain/http"
import { OrganizationId } from "@care/domain/ids"
import { type OpenedRow, ofNobody, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { execute, type Query } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { allStaff, unerasedUser } from "../people/index.ts"
import type { OutgoingMessage } from "./OutgoingMessage.ts"

/** The receiver and the channel of messages: null stands for all. */
interface MessagesFilter {
  readonly to: string | null
  readonly channel: MessageChannel | null
}

/** A stored message. One of a sandbox has `sealedText` instead of a `text`. */
export const MessageRow = sealedRow("messages", ["organizationId", "id"], {
  ...Message.fields,
  organizationId: OrganizationId,
  sealedText: sealed(Schema.NullOr(Schema.String)),
  createdAt: Schema.Date
})

const messageOf = ({ organizationId: _, sealedText, text, ...message }: OpenedRow<typeof MessageRow>): Message => ({
  ...message,
  text: sealedText ?? text
})

export const makeMessagesRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const messages = yield* sealedRowsOf(MessageRow)
  const columns = sql.literal("organization_id, id, channel, receiver AS to, subject, text, sealed_text, created_at")

  const shown = <E>(query: Query<E>) => Effect.map(messages.all(query), (rows) => rows.map(messageOf))

  const insert = (
    { channel, id, organizationId, subject, text, to, userId }: OutgoingMessage,
    createdAt: Date,
    sealedText: ReturnType<typeof messages.seal>["sealedText"] = null
  ) =>
    execute(sql`
      INSERT INTO messages (organization_id, id, user_id, channel, receiver, subject, text, sealed_text, created_at)
      SELECT ${organizationId}::uuid, ${id}::uuid, ${userId}::uuid, ${channel}, ${to}, ${subject}::text, ${text},
             ${sealedText}::text, ${createdAt}::timestamptz
      ${userId === null ? sql`` : unerasedUser(sql, organizationId, userId)}
      ON CONFLICT DO NOTHING
    `)

  return {
    /** Stores a message once, unless its user was erased. */
    insert: (message: OutgoingMessage, createdAt: Date) => insert(message, createdAt),

    /** Does the same with a message of a sandbox. Its text is sealed: production stores it, too, and it may have a code. */
    insertSealed: (message: OutgoingMessage, createdAt: Date) => {
      const { id, organizationId, text } = message
      const { sealedText } = messages.seal(ofNobody, { organizationId, id, sealedText: text })
      return insert({ ...message, text: "" }, createdAt, sealedText)
    },

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
      shown(sql`
        SELECT ${columns} FROM messages
        WHERE (created_at, id) < (${before.createdAt}, ${before.id})
          AND (${to}::text IS NULL OR receiver = ${to}) AND (${channel}::text IS NULL OR channel = ${channel})
        ORDER BY created_at DESC, id DESC
        LIMIT ${limit}
      `),

    /** The same of one organization, to patients: whoever reads a code of its staff could sign in as they do. */
    pageOf: (organizationId: OrganizationId, to: string | null, before: PagePosition, limit: number) =>
      shown(sql`
        SELECT ${columns} FROM messages
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
