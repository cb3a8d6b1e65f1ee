import type { MessageId, OrganizationId } from "@care/domain/ids"
import { affects } from "@care/service-kit"
import { Effect } from "effect"
import { SqlClient } from "effect/sql"

interface CountedNotice {
  readonly organizationId: OrganizationId
  readonly receiverHash: string
  readonly kind: string
  readonly id: MessageId
}

/** SQL that counts the notices of a kind that a receiver got within a day. */
export const makeNoticeCountsRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  return {
    /**
     * Counts a notice once, however often it is attempted. Returns false if the receiver has had `limit` notices of its kind within a day
     * of the first. It is one statement, so that parallel notices cannot pass the limit.
     */
    count: ({ id, kind, organizationId, receiverHash }: CountedNotice, now: Date, dayAgo: Date, limit: number) =>
      affects(sql`
        INSERT INTO notice_counts (organization_id, receiver_hash, kind, begun_at, message_ids)
        VALUES (${organizationId}, ${receiverHash}, ${kind}, ${now}, ARRAY[${id}::uuid])
        ON CONFLICT (organization_id, receiver_hash, kind) DO UPDATE SET
          begun_at = CASE WHEN notice_counts.begun_at <= ${dayAgo} THEN excluded.begun_at ELSE notice_counts.begun_at END,
          message_ids = CASE
            WHEN ${id}::uuid = ANY(notice_counts.message_ids) THEN notice_counts.message_ids
            WHEN notice_counts.begun_at <= ${dayAgo} THEN excluded.message_ids
            ELSE notice_counts.message_ids || ${id}::uuid
          END
        WHERE ${id}::uuid = ANY(notice_counts.message_ids) OR notice_counts.begun_at <= ${dayAgo}
          OR cardinality(notice_counts.message_ids) < ${limit}
        RETURNING kind
      `)
  }
})
