import { OrganizationId } from "@care/domain"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { SqlClient, SqlSchema } from "effect/sql"
import { PhiCipher } from "../crypto/PhiCipher.ts"

/** A request under an idempotency key. */
export interface IdempotentRequest {
  readonly organizationId: OrganizationId
  /** Method and path. */
  readonly operation: string
  readonly key: string
  readonly bodyHash: string
}

const Answer = Schema.Struct({ status: Schema.Int, contentType: Schema.String, body: Schema.String })
const StoredAnswer = Schema.fromJsonString(Answer)

/** A successful answer. */
export type IdempotentAnswer = typeof Answer.Type

/** What a key holds: the answer of an earlier request with the same body, or another body's. */
export type Known =
  | { readonly _tag: "New" }
  | { readonly _tag: "Answered"; readonly answer: IdempotentAnswer }
  | { readonly _tag: "OtherBody" }

const keptDays = 30
const batch = 1000

/**
 * What was answered under idempotency keys, for 30 days. Answers are sealed: they may hold health information.
 */
export class IdempotentAnswers extends Context.Service<
  IdempotentAnswers,
  {
    /** Takes a key inside the transaction of the request; waits for another request that is taking it. */
    readonly take: (request: IdempotentRequest) => Effect.Effect<Known>
    readonly keep: (request: IdempotentRequest, answer: IdempotentAnswer) => Effect.Effect<void>
    readonly removeOld: Effect.Effect<void>
  }
>()("@care/service-kit/idempotency/IdempotentAnswers") {
  static readonly layer = Layer.effect(
    IdempotentAnswers,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const cipher = yield* PhiCipher
      const decode = Schema.decodeEffect(StoredAnswer)
      const encode = Schema.encodeEffect(StoredAnswer)

      const cutoff = Effect.map(DateTime.now, (now) => DateTime.toDateUtc(DateTime.subtract(now, { days: keptDays })))

      const insert = Effect.fnUntraced(function* (request: IdempotentRequest) {
        const createdAt = yield* DateTime.nowAsDate
        const rows = yield* sql`
          INSERT INTO idempotent_answers ${sql.insert({ ...request, createdAt })}
          ON CONFLICT (organization_id, operation, key) DO UPDATE
          SET body_hash = excluded.body_hash, answer = NULL, created_at = excluded.created_at
          WHERE idempotent_answers.created_at <= ${yield* cutoff}
          RETURNING key
        `
        return rows.length === 1
      })

      const find = SqlSchema.findOne({
        Request: Schema.Struct({ organizationId: OrganizationId, operation: Schema.String, key: Schema.String }),
        Result: Schema.Struct({ bodyHash: Schema.String, answer: Schema.String }),
        execute: ({ key, operation, organizationId }) => sql`
          SELECT body_hash, answer FROM idempotent_answers
          WHERE organization_id = ${organizationId} AND operation = ${operation} AND key = ${key}
        `
      })

      const removeBatch = Effect.gen(function* () {
        const rows = yield* sql`
          DELETE FROM idempotent_answers WHERE (organization_id, operation, key) IN (
            SELECT organization_id, operation, key FROM idempotent_answers WHERE created_at <= ${yield* cutoff}
            LIMIT ${batch}
          )
          RETURNING key
        `
        return rows.length
      })

      return IdempotentAnswers.of({
        take: Effect.fnUntraced(function* (request): Effect.fn.Return<Known> {
          if (yield* Effect.orDie(insert(request))) return { _tag: "New" }
          const { answer, bodyHash } = yield* Effect.orDie(find(request))
          if (bodyHash !== request.bodyHash) return { _tag: "OtherBody" }
          return { _tag: "Answered", answer: yield* Effect.orDie(decode(cipher.open(answer))) }
        }),
        keep: Effect.fnUntraced(function* ({ key, operation, organizationId }, answer) {
          const sealed = cipher.seal(yield* Effect.orDie(encode(answer)))
          yield* sql`
            UPDATE idempotent_answers SET answer = ${sealed}
            WHERE organization_id = ${organizationId} AND operation = ${operation} AND key = ${key}
          `.pipe(Effect.orDie)
        }),
        removeOld: removeBatch.pipe(
          Effect.repeat({ while: (removed) => removed === batch }),
          Effect.asVoid,
          Effect.orDie
        )
      })
    })
  )
}
