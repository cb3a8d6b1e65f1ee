import {
  CaseId,
  type CaseStatus,
  type FormId,
  type FormResponseId,
  OrganizationId,
  type ProductId,
  type UserId,
  type VisitType
} from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option, Schema } from "effect"
import { SqlClient, type SqlError, SqlSchema } from "effect/sql"

/** The answers to a form about to be stored: `content` is what was asked and answered, sealed. */
export interface NewFormResponse {
  readonly id: FormResponseId
  readonly productId: ProductId | null
  readonly formId: FormId | null
  readonly title: string
  readonly content: string
}

/** A case about to be stored. `isSole`: only if the patient has no other active case in the organization. */
export interface NewCase {
  readonly id: CaseId
  readonly organizationId: OrganizationId
  readonly userId: UserId
  readonly title: string
  readonly status: CaseStatus
  readonly type: VisitType
  readonly isTest: boolean
  readonly isSole: boolean
  readonly createdAt: Date
  readonly products: ReadonlyArray<{ readonly productId: ProductId; readonly visitType: VisitType }>
  readonly formResponses: ReadonlyArray<NewFormResponse>
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

/** The short id is taken, and nothing was stored: make another. */
export class ShortIdTaken extends Data.TaggedError("ShortIdTaken") {}

const insertFailure = (error: SqlError.SqlError): Effect.Effect<never, ActiveCaseExists> =>
  violatedConstraint(error) === "cases_sole_active" ? new ActiveCaseExists() : Effect.die(error)

/** SQL of case creation. */
export class IntakeRepo extends Context.Service<
  IntakeRepo,
  {
    readonly insertCase: (made: NewCase, shortId: string) => Effect.Effect<void, ActiveCaseExists | ShortIdTaken>
    /** Adds the answers to a form to a case of the organization: whose case it is, or none when there is no such case. */
    readonly insertFormResponse: (
      organizationId: OrganizationId,
      caseId: CaseId,
      response: NewFormResponse,
      now: Date
    ) => Effect.Effect<Option.Option<UserId>>
    /** What the key made before, if it is younger than 30 days. */
    readonly findClaim: (claim: IdempotencyClaim, now: Date) => Effect.Effect<Option.Option<KnownClaim>>
    /** Takes the key for a case. Waits for a transaction that is taking it; false when it is taken. */
    readonly takeClaim: (claim: IdempotencyClaim, caseId: CaseId, now: Date) => Effect.Effect<boolean>
    /** Removes keys that are not looked at any more, a bounded number: how many. */
    readonly removeOldClaims: (now: Date, limit: number) => Effect.Effect<number>
  }
>()("@care/cases/intake/IntakeRepo") {
  static readonly layer = Layer.effect(
    IntakeRepo,
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient

      const insertCase = ({ formResponses, products, ...row }: NewCase, shortId: string) =>
        sql<{ isCreated: boolean; hasActive: boolean }>`
          WITH other AS (
            SELECT EXISTS (
              SELECT FROM cases
              WHERE organization_id = ${row.organizationId} AND user_id = ${row.userId}
                AND NOT is_archived AND status IN ('OPEN', 'ASSIGNED', 'IN_PROGRESS')
            ) AS is_active
          ), created AS (
            INSERT INTO cases (
              id, short_id, organization_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
            )
            SELECT ${row.id}::uuid, ${shortId}, ${row.organizationId}::uuid, ${row.userId}::uuid, ${row.title},
                   ${row.status}, ${row.type}, ${row.isTest}::boolean, ${row.isSole}::boolean,
                   ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz
            FROM other WHERE NOT ${row.isSole}::boolean OR NOT is_active
            ON CONFLICT (organization_id, short_id) DO NOTHING
            RETURNING id, organization_id, created_at
          ), attached AS (
            INSERT INTO case_products (organization_id, case_id, index, product_id, visit_type)
            SELECT c.organization_id, c.id, p.index, p."productId", p."visitType"
            FROM created c, jsonb_to_recordset(${JSON.stringify(products.map((product, index) => ({ index, ...product })))}::jsonb)
              AS p (index integer, "productId" uuid, "visitType" text)
          ), answered AS (
            INSERT INTO form_responses (
              organization_id, id, case_id, product_id, form_id, title, content, created_at
            )
            SELECT c.organization_id, f.id, c.id, f."productId", f."formId", f.title, f.content, c.created_at
            FROM created c, jsonb_to_recordset(${JSON.stringify(formResponses)}::jsonb)
              AS f (id uuid, "productId" uuid, "formId" uuid, title text, content text)
          )
          SELECT EXISTS (SELECT FROM created) AS is_created, is_active AS has_active FROM other
        `.pipe(
          Effect.catchTag("SqlError", insertFailure),
          Effect.flatMap(([result]): Effect.Effect<void, ActiveCaseExists | ShortIdTaken> => {
            if (result?.isCreated === true) return Effect.void
            return row.isSole && result?.hasActive === true ? new ActiveCaseExists() : new ShortIdTaken()
          })
        )

      const insertFormResponse = (
        organizationId: OrganizationId,
        caseId: CaseId,
        response: NewFormResponse,
        now: Date
      ) => sql<{ userId: UserId }>`
        WITH own AS (
          SELECT organization_id, id, user_id FROM cases WHERE organization_id = ${organizationId} AND id = ${caseId}
        ), added AS (
          INSERT INTO form_responses (
            organization_id, id, case_id, product_id, form_id, title, content, created_at
          )
          SELECT organization_id, ${response.id}::uuid, id, ${response.productId}::uuid, ${response.formId}::uuid,
                 ${response.title}, ${response.content}, ${now}::timestamptz
          FROM own
        )
        SELECT user_id FROM own
      `

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
          FROM idempotency_keys k JOIN cases c ON c.organization_id = k.organization_id AND c.id = k.case_id
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
        insertFormResponse: (organizationId, caseId, response, now) =>
          insertFormResponse(organizationId, caseId, response, now).pipe(
            Effect.map(([own]) => Option.map(Option.fromUndefinedOr(own), ({ userId }) => userId)),
            Effect.orDie
          ),
        findClaim: ({ key, operation, organizationId }, now) =>
          Effect.orDie(findClaim({ organizationId, operation, key, now })),
        takeClaim,
        removeOldClaims: (now, limit) =>
          sql`
            DELETE FROM idempotency_keys WHERE (organization_id, operation, key) IN (
              SELECT organization_id, operation, key FROM idempotency_keys
              WHERE created_at <= ${now}::timestamptz - interval '30 days'
              LIMIT ${limit}
            )
            RETURNING key
          `.pipe(
            Effect.map(({ length }) => length),
            Effect.orDie
          )
      })
    })
  )
}
