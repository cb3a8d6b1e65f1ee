import { OrganizationId } from "@care/domain"
import { Context, DateTime, type Duration, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, SqlSchema, type Statement } from "effect/sql"

const Key = Schema.Struct({ organizationId: OrganizationId, operation: Schema.String, key: Schema.String })

/** An idempotency key: of an organization, for one operation. */
export type IdempotencyKey = typeof Key.Type

/** A key in the hands of one who works under it: `holder` is a new id each time. */
export interface HeldKey extends IdempotencyKey {
  readonly holder: string
}

/** A key that is claimed, with what is kept of the work. */
export interface NewClaim extends HeldKey {
  readonly bodyHash: string
  readonly ids: Readonly<Record<string, string>>
}

const Claim = Schema.Struct({
  holder: Schema.String,
  bodyHash: Schema.String,
  ids: Schema.Record(Schema.String, Schema.String),
  isLeased: Schema.Boolean,
  /** Sealed; null as long as there is none. */
  answer: Schema.NullOr(Schema.String)
})
/** What is known of a key. `isLeased`: somebody is at work. */
export type Claim = typeof Claim.Type

/** How long a key is kept. */
export const keptDays = 30

/** How long a claim counts as held after its holder was last heard of. */
export const lease: Duration.Input = "6 seconds"

/** SQL of idempotency keys. What changes a held key tells whether its holder still had it, and it had no answer. */
export class IdempotencyKeysRepo extends Context.Service<
  IdempotencyKeysRepo,
  {
    /** Claims a key that is free. False when it is not. */
    readonly claim: (claim: NewClaim) => Effect.Effect<boolean>
    readonly find: (key: IdempotencyKey) => Effect.Effect<Option.Option<Claim>>
    /** Takes over from a holder whose lease has run out. False when somebody else was faster. */
    readonly takeOver: (held: HeldKey, from: string) => Effect.Effect<boolean>
    readonly renew: (held: HeldKey) => Effect.Effect<boolean>
    /** Keeps the answer, inside the transaction of the change. */
    readonly keep: (held: HeldKey, answer: string) => Effect.Effect<boolean>
    /** Ends the lease at once: the next request takes over, with the same ids. */
    readonly endLease: (held: HeldKey) => Effect.Effect<boolean>
    /** Frees the key, for any body. */
    readonly free: (held: HeldKey) => Effect.Effect<boolean>
    /** Removes keys that are too old, a bounded number: how many. */
    readonly removeOld: (limit: number) => Effect.Effect<number>
  }
>()("@care/service-kit/idempotency/IdempotencyKeysRepo") {
  static readonly layer = Layer.effect(
    IdempotencyKeysRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const times = Effect.map(DateTime.now, (now) => ({
        now: DateTime.toDateUtc(now),
        leasedUntil: DateTime.toDateUtc(DateTime.addDuration(now, lease)),
        cutoff: DateTime.toDateUtc(DateTime.subtract(now, { days: keptDays }))
      }))

      const isKey = ({ key, operation, organizationId }: typeof Key.Encoded) =>
        sql`organization_id = ${organizationId} AND operation = ${operation} AND key = ${key}`
      const isHeld = (held: HeldKey) => sql`${isKey(held)} AND holder = ${held.holder} AND answer IS NULL`
      const count = (rows: Statement.Statement<unknown>) =>
        rows.pipe(
          Effect.map(({ length }) => length),
          Effect.orDie
        )
      const isDone = (rows: Statement.Statement<unknown>) => Effect.map(count(rows), (changed) => changed === 1)

      const find = SqlSchema.findOneOption({
        Request: Schema.Struct({ ...Key.fields, now: Schema.Date, cutoff: Schema.Date }),
        Result: Claim,
        execute: ({ cutoff, now, ...key }) => sql`
          SELECT holder, body_hash, ids, leased_until > ${now} AS is_leased, answer
          FROM idempotency_keys WHERE ${isKey(key)} AND created_at > ${cutoff}
        `
      })

      return IdempotencyKeysRepo.of({
        claim: Effect.fnUntraced(function* ({ ids, ...claim }) {
          const { cutoff, leasedUntil, now } = yield* times
          const row = { ...claim, ids: JSON.stringify(ids), leasedUntil, createdAt: now }
          return yield* isDone(sql`
            INSERT INTO idempotency_keys ${sql.insert(row)}
            ON CONFLICT (organization_id, operation, key) DO UPDATE
            SET body_hash = excluded.body_hash, ids = excluded.ids, holder = excluded.holder,
                leased_until = excluded.leased_until, answer = NULL, created_at = excluded.created_at
            WHERE idempotency_keys.created_at <= ${cutoff}
            RETURNING key
          `)
        }),
        find: Effect.fnUntraced(function* ({ key, operation, organizationId }) {
          const { cutoff, now } = yield* times
          return yield* Effect.orDie(find({ organizationId, operation, key, now, cutoff }))
        }),
        takeOver: Effect.fnUntraced(function* (held, from) {
          const { leasedUntil, now } = yield* times
          return yield* isDone(sql`
            UPDATE idempotency_keys SET holder = ${held.holder}, leased_until = ${leasedUntil}
            WHERE ${isHeld({ ...held, holder: from })} AND leased_until <= ${now}
            RETURNING key
          `)
        }),
        renew: Effect.fnUntraced(function* (held) {
          const { leasedUntil } = yield* times
          return yield* isDone(
            sql`UPDATE idempotency_keys SET leased_until = ${leasedUntil} WHERE ${isHeld(held)} RETURNING key`
          )
        }),
        keep: (held, answer) =>
          isDone(sql`UPDATE idempotency_keys SET answer = ${answer} WHERE ${isHeld(held)} RETURNING key`),
        endLease: Effect.fnUntraced(function* (held) {
          const { now } = yield* times
          return yield* isDone(
            sql`UPDATE idempotency_keys SET leased_until = ${now} WHERE ${isHeld(held)} RETURNING key`
          )
        }),
        free: (held) => isDone(sql`DELETE FROM idempotency_keys WHERE ${isHeld(held)} RETURNING key`),
        removeOld: Effect.fnUntraced(function* (limit) {
          const { cutoff } = yield* times
          return yield* count(sql`
            DELETE FROM idempotency_keys WHERE (organization_id, operation, key) IN (
              SELECT organization_id, operation, key FROM idempotency_keys WHERE created_at <= ${cutoff} LIMIT ${limit}
            )
            RETURNING key
          `)
        })
      })
    })
  )
}
