import { OrganizationId } from "@care/domain/ids"
import { type Sealer, sealed, sealedRow, sealedRowsOf } from "@care/phi"
import { affects, type OldRows } from "@care/service-kit"
import { DateTime, type Duration, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"

/** An idempotency key of an organization for one operation. The table has its hash. */
export interface IdempotencyKey {
  readonly organizationId: OrganizationId
  readonly operation: string
  readonly key: string
}

/** A key that a request holds. Each claim and takeover has a new `holder`. */
export interface HeldKey extends IdempotencyKey {
  readonly holder: string
}

/** A key that is claimed, with the ids of its work and the hash of its body. */
interface NewClaim extends HeldKey {
  readonly bodyHash: string
  readonly ids: Readonly<Record<string, string>>
}

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

const keptDays = 30

export const oldIdempotencyKeys: OldRows = {
  table: "idempotency_keys",
  key: ["organization_id", "operation", "key"],
  since: "created_at",
  age: `${keptDays} days`
}

/** How long after its last renewal a lease expires. */
export const lease: Duration.Input = "6 seconds"

/** SQL of idempotency keys. Statements that change a held key return whether the holder still held it, and it had no answer. */
export const makeIdempotencyKeysRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const claims = yield* sealedRowsOf(ClaimRow)

  const currentTimes = Effect.map(DateTime.now, (now) => ({
    now: DateTime.toDateUtc(now),
    leasedUntil: DateTime.toDateUtc(DateTime.addDuration(now, lease)),
    cutoff: DateTime.toDateUtc(DateTime.subtract(now, { days: keptDays }))
  }))

  const isKey = ({ key, operation, organizationId }: IdempotencyKey) =>
    sql`organization_id = ${organizationId} AND operation = ${operation} AND key = ${key}`
  const isHeldBy = (heldKey: HeldKey) => sql`${isKey(heldKey)} AND holder = ${heldKey.holder} AND answer IS NULL`

  return {
    /** Claims a free key. Returns false if the key is not free. */
    claim: Effect.fnUntraced(function* ({ bodyHash, holder, ids, key, operation, organizationId }: NewClaim) {
      const { cutoff, leasedUntil, now } = yield* currentTimes
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

    /** Returns a claimed key. `isLeased`: a request works under it. `answer` is null if there is none yet, or its patient was erased. */
    find: (identity: IdempotencyKey) =>
      Effect.flatMap(currentTimes, ({ cutoff, now }) =>
        claims.first(sql`
          SELECT organization_id, operation, key, holder, body_hash, ids, leased_until > ${now} AS is_leased, answer,
                 answer IS NOT NULL AS is_answered
          FROM idempotency_keys
          WHERE ${isKey(identity)} AND created_at > ${cutoff}
        `)
      ),

    /** Takes over a key whose lease has expired. Returns false if another request was faster. */
    takeOver: (heldKey: HeldKey, previousHolder: string) =>
      Effect.flatMap(currentTimes, ({ leasedUntil, now }) =>
        affects(sql`
          UPDATE idempotency_keys SET holder = ${heldKey.holder}, leased_until = ${leasedUntil}
          WHERE ${isHeldBy({ ...heldKey, holder: previousHolder })} AND leased_until <= ${now}
          RETURNING key
        `)
      ),

    renew: (heldKey: HeldKey) =>
      Effect.flatMap(currentTimes, ({ leasedUntil }) =>
        affects(sql`UPDATE idempotency_keys SET leased_until = ${leasedUntil} WHERE ${isHeldBy(heldKey)} RETURNING key`)
      ),

    /** Stores the answer in the transaction of the change, sealed with the key of the patient whom it is about, if any. */
    keep: (heldKey: HeldKey, answer: Schema.Json, sealer: Sealer) =>
      affects(sql`
        UPDATE idempotency_keys SET answer = ${claims.seal(sealer, { ...heldKey, answer }).answer} WHERE ${isHeldBy(heldKey)} RETURNING key
      `),

    /** Ends the lease, so that the next request takes over, with the same ids. */
    endLease: (heldKey: HeldKey) =>
      Effect.flatMap(currentTimes, ({ now }) =>
        affects(sql`UPDATE idempotency_keys SET leased_until = ${now} WHERE ${isHeldBy(heldKey)} RETURNING key`)
      ),

    /** Deletes the key: the next request may have another body. */
    free: (heldKey: HeldKey) => affects(sql`DELETE FROM idempotency_keys WHERE ${isHeldBy(heldKey)} RETURNING key`)
  }
})
