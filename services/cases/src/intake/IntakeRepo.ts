import { CaseId, type CaseStatus, type FormAnswer, OrganizationId, type UserId, type VisitType } from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, type Option, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"

/** A case about to be stored. `isSole`: only if the patient has no other active case in the organization. */
export interface NewCase {
  readonly id: CaseId
  readonly shortId: string
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly title: string
  readonly status: CaseStatus
  readonly type: VisitType
  readonly isTest: boolean
  readonly isSole: boolean
  readonly createdAt: Date
  readonly products: ReadonlyArray<{ readonly productId: string; readonly visitType: VisitType }>
  readonly formResponses: ReadonlyArray<{
    readonly id: string
    readonly productId: string
    readonly title: string
    readonly description: string | null
    readonly questions: ReadonlyArray<FormAnswer>
  }>
}

/** An idempotency key in use. */
export interface IdempotencyClaim {
  readonly organizationId: OrganizationId
  readonly operation: string
  readonly key: string
  readonly bodyHash: string
}

const KnownClaim = Schema.Struct({ bodyHash: Schema.String, caseId: CaseId, isArchived: Schema.Boolean })
export type KnownClaim = typeof KnownClaim.Type

/** The patient has another active case in the organization. */
export class ActiveCaseExists extends Data.TaggedError("ActiveCaseExists") {}

/** The short id is taken: make another. */
export class ShortIdTaken extends Data.TaggedError("ShortIdTaken") {}

const insertFailure = (error: SqlError.SqlError): Effect.Effect<never, ActiveCaseExists | ShortIdTaken> => {
  const constraint = violatedConstraint(error)
  if (constraint === "cases_sole_active") return new ActiveCaseExists()
  if (constraint === "cases_short_id") return new ShortIdTaken()
  return Effect.die(error)
}

/** SQL of case creation. */
export class IntakeRepo extends Context.Service<
  IntakeRepo,
  {
    readonly insertCase: (newCase: NewCase) => Effect.Effect<void, ActiveCaseExists | ShortIdTaken>
    /** What the key made before, if it is younger than 30 days. */
    readonly findClaim: (claim: IdempotencyClaim, now: Date) => Effect.Effect<Option.Option<KnownClaim>>
    /** Takes the key for a case. Waits for a transaction that is taking it; false when it is taken. */
    readonly takeClaim: (claim: IdempotencyClaim, caseId: CaseId, now: Date) => Effect.Effect<boolean>
  }
>()("@care/cases/intake/IntakeRepo") {
  static readonly layer = Layer.effect(
    IntakeRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insertCase = ({ formResponses, products, ...row }: NewCase) =>
        sql`
          WITH created AS (
            INSERT INTO cases (
              id, short_id, organization_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
            )
            SELECT ${row.id}::uuid, ${row.shortId}, ${row.organizationId}::uuid, ${row.userId}::uuid, ${row.title},
                   ${row.status}, ${row.type}, ${row.isTest}::boolean, ${row.isSole}::boolean,
                   ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz
            WHERE NOT ${row.isSole}::boolean OR NOT EXISTS (
              SELECT FROM cases
              WHERE organization_id = ${row.organizationId} AND user_id = ${row.userId}
                AND NOT is_archived AND status IN ('OPEN', 'ASSIGNED', 'IN_PROGRESS')
            )
            RETURNING id, organization_id, created_at
          ), attached AS (
            INSERT INTO case_products (case_id, index, organization_id, product_id, visit_type)
            SELECT c.id, p.index, c.organization_id, p."productId", p."visitType"
            FROM created c, jsonb_to_recordset(${JSON.stringify(products.map((product, index) => ({ index, ...product })))}::jsonb)
              AS p (index integer, "productId" uuid, "visitType" text)
          ), answered AS (
            INSERT INTO form_responses (id, case_id, organization_id, product_id, title, description, questions, created_at)
            SELECT f.id, c.id, c.organization_id, f."productId", f.title, f.description, f.questions, c.created_at
            FROM created c, jsonb_to_recordset(${JSON.stringify(formResponses)}::jsonb)
              AS f (id uuid, "productId" uuid, title text, description text, questions jsonb)
          )
          SELECT id FROM created
        `.pipe(
          Effect.catchTag("SqlError", insertFailure),
          Effect.flatMap((rows) => (rows.length === 1 ? Effect.void : new ActiveCaseExists()))
        )

      const findClaim = SqlSchema.findOneOption({
        Request: Schema.Struct({
          organizationId: OrganizationId,
          operation: Schema.String,
          key: Schema.String,
          now: Schema.Date
        }),
        Result: KnownClaim,
        execute: ({ key, now, operation, organizationId }) => sql`
          SELECT k.body_hash, k.case_id, c.is_archived
          FROM idempotency_keys k JOIN cases c ON c.id = k.case_id
          WHERE k.organization_id = ${organizationId} AND k.operation = ${operation} AND k.key = ${key}
            AND k.created_at > ${now}::timestamptz - interval '30 days'
        `
      })

      const takeClaim = (claim: IdempotencyClaim, caseId: CaseId, now: Date) =>
        sql`
          INSERT INTO idempotency_keys ${sql.insert({ ...claim, caseId, createdAt: now })}
          ON CONFLICT (organization_id, operation, key) DO UPDATE
          SET body_hash = excluded.body_hash, case_id = excluded.case_id, created_at = excluded.created_at
          WHERE idempotency_keys.created_at <= ${now}::timestamptz - interval '30 days'
          RETURNING key
        `.pipe(
          Effect.map((rows) => rows.length === 1),
          Effect.orDie
        )

      return IntakeRepo.of({
        insertCase,
        findClaim: ({ key, operation, organizationId }, now) =>
          Effect.orDie(findClaim({ organizationId, operation, key, now })),
        takeClaim
      })
    })
  )
}
