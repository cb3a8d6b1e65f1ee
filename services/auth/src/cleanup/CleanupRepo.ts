import { Context, Effect, Layer } from "effect"
import { SqlClient, type Statement } from "effect/sql"

/** SQL that removes old rows, a bounded number at a time; each answers how many. */
export class CleanupRepo extends Context.Service<
  CleanupRepo,
  {
    /** Codes and what was counted of their patients, all of which is older than the code. */
    readonly removeCodes: (expiredBefore: Date, limit: number) => Effect.Effect<number>
    readonly removeCodeRequests: (requestedBefore: Date, limit: number) => Effect.Effect<number>
    /** Families that nobody could refresh since, with all their tokens. */
    readonly removeFamilies: (expiredBefore: Date, limit: number) => Effect.Effect<number>
    readonly removeMessages: (createdBefore: Date, limit: number) => Effect.Effect<number>
  }
>()("@care/auth/cleanup/CleanupRepo") {
  static readonly layer = Layer.effect(
    CleanupRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const count = (rows: Statement.Statement<unknown>) =>
        rows.pipe(
          Effect.map(({ length }) => length),
          Effect.orDie
        )

      return CleanupRepo.of({
        removeCodes: (expiredBefore, limit) =>
          count(sql`
            DELETE FROM one_time_codes WHERE (organization_id, user_id) IN (
              SELECT organization_id, user_id FROM one_time_codes WHERE expires_at < ${expiredBefore} LIMIT ${limit}
            ) AND expires_at < ${expiredBefore}
            RETURNING user_id
          `),
        removeCodeRequests: (requestedBefore, limit) =>
          count(sql`
            DELETE FROM code_requests WHERE (organization_id, identifier_hash) IN (
              SELECT organization_id, identifier_hash FROM code_requests
              WHERE requested_at < ${requestedBefore} LIMIT ${limit}
            ) AND requested_at < ${requestedBefore}
            RETURNING identifier_hash
          `),
        removeFamilies: (expiredBefore, limit) =>
          count(sql`
            DELETE FROM refresh_token_families WHERE (organization_id, id) IN (
              SELECT f.organization_id, f.id FROM refresh_token_families f
              WHERE f.absolute_expires_at < ${expiredBefore} OR NOT EXISTS (
                SELECT FROM refresh_tokens t
                WHERE t.organization_id = f.organization_id AND t.family_id = f.id AND t.expires_at >= ${expiredBefore}
              )
              LIMIT ${limit}
            )
            RETURNING id
          `),
        removeMessages: (createdBefore, limit) =>
          count(sql`
            DELETE FROM messages WHERE (organization_id, id) IN (
              SELECT organization_id, id FROM messages WHERE created_at < ${createdBefore} LIMIT ${limit}
            )
            RETURNING id
          `)
      })
    })
  )
}
