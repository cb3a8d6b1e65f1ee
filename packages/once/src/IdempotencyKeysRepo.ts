import { OrganizationId } from "@care/domain/ids"
import { type Sealer, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects } from "@care/service-kit"
import { DateTime, type Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An idempotency key as it is stored, hashed: of an organization, for one operation. */
interface IdempotencyKey {
  readonly organizationId: OrganizationId
  readonly operation: string
  readonly key: string
}

/** A key in the hands of one who works under it: `holder` is a new id each time. */
export interface HeldKey extends IdempotencyKey {
  readonly holder: string
}

/** A key that is claimed, with what is kept of the work. */
interface NewClaim extends HeldKey {
  readonly bodyHash: string
  readonly ids: Readonly<Record<string, string>>
}

/** A claimed key as it is stored. */
export const ClaimRow = sealedRow("idempotency_keys", ["organizationId", "operation", "key"], {
  organizationId: OrganizationId,
  operation: Schema.String,
  key: Schema.String,
  holder: Schema.String,
  bodyHash: Schema.String,
  ids: Schema.Record(Schema.String, Schema.String),
  isLeased: Schema.Boolean,
  isAnswered: Schema.Boolean,
  answer: sealed(Schema.Json)
})

export const keptDays = 30

/** How long a claim counts as held after its holder was last heard of. */
export const lease: Duration.Input = "6 seconds"

/** SQL of idempotency keys. What changes a held key tells whether its holder still had it, and it had no answer. */
export const makeIdempotencyKeysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const claims = yield* sealedRowsOf(ClaimRow)

  const times = Effect.map(DateTime.now, (now) => ({
    now: DateTime.toDateUtc(now),
    leasedUntil: DateTime.toDateUtc(DateTime.addDuration(now, lease)),
    cutoff: DateTime.toDateUtc(DateTime.subtract(now, { days: keptDays }))
  }))

  const isKey = ({ key, operation, organizationId }: IdempotencyKey) =>
    sql`organization_id = ${organizationId} AND operation = ${operation} AND key = ${key}`
  const isHeld = (held: HeldKey) => sql`${isKey(held)} AND holder = ${held.holder} AND answer IS NULL`

  return {
    /** Claims a key that is free. False when it is not. */
    claim: Effect.fnUntraced(function* ({ bodyHash, holder, ids, key, operation, organizationId }: NewClaim) {
      const { cutoff, leasedUntil, now } = yield* times
      return yield* affects(sql`
        INSERT INTO idempotency_keys (
          organization_id, operation, key, body_hash, ids, holder, leased_until, created_at
        )
        VALUES (
          ${organizationId}, ${operation}, ${key}, ${bodyHash}, ${JSON.stringify(ids)}::jsonb, ${holder}, ${leasedUntil}, ${now}
        )
        ON CONFLICT (organization_id, operation, key) DO UPDATE
        SET body_hash = excluded.body_hash, ids = excluded.ids, holder = excluded.holder,
            leased_until = excluded.leased_until, answer = NULL, created_at = excluded.created_at
        WHERE idempotency_keys.created_at <= ${cutoff}
        RETURNING key
      `)
    }),

    /**
     * What is known of a key. `isLeased`: somebody is at work. `answer` is null as long as there is none, and when it was that of a
     * patient who was erased.
     */
    find: (asked: IdempotencyKey) =>
      Effect.flatMap(times, ({ cutoff, now }) =>
        claims.first(sql`
          SELECT organization_id, operation, key, holder, body_hash, ids, leased_until > ${now} AS is_leased, answer,
                 answer IS NOT NULL AS is_answered
          FROM idempotency_keys
          WHERE ${isKey(asked)} AND created_at > ${cutoff}
        `)
      ),

    /** Takes over from a holder whose lease has run out. False when somebody else was faster. */
    takeOver: (held: HeldKey, from: string) =>
      Effect.flatMap(times, ({ leasedUntil, now }) =>
        affects(sql`
          UPDATE idempotency_keys SET holder = ${held.holder}, leased_until = ${leasedUntil}
          WHERE ${isHeld({ ...held, holder: from })} AND leased_until <= ${now}
          RETURNING key
        `)
      ),

    renew: (held: HeldKey) =>
      Effect.flatMap(times, ({ leasedUntil }) =>
        affects(sql`UPDATE idempotency_keys SET leased_until = ${leasedUntil} WHERE ${isHeld(held)} RETURNING key`)
      ),

    /** Keeps the answer, inside the transaction of the change, sealed for the patient whom it is about if there is one. */
    keep: (held: HeldKey, answer: Schema.Json, sealer: Sealer) =>
      affects(sql`
        UPDATE idempotency_keys SET answer = ${claims.seal(sealer, { ...held, answer }).answer} WHERE ${isHeld(held)} RETURNING key
      `),

    /** Ends the lease at once: the next request takes over, with the same ids. */
    endLease: (held: HeldKey) =>
      Effect.flatMap(times, ({ now }) =>
        affects(sql`UPDATE idempotency_keys SET leased_until = ${now} WHERE ${isHeld(held)} RETURNING key`)
      ),

    /** Frees the key, for any body. */
    free: (held: HeldKey) => affects(sql`DELETE FROM idempotency_keys WHERE ${isHeld(held)} RETURNING key`)
  }
})
