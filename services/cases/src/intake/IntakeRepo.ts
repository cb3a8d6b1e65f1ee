import type {
  CaseId,
  CaseStatus,
  FormId,
  FormResponseId,
  OrganizationId,
  ProductId,
  UserId,
  VisitType
} from "@care/domain"
import { violatedConstraint } from "@care/service-kit"
import { Context, Data, Effect, Layer, Option } from "effect"
import { SqlClient, type SqlError } from "effect/sql"
import { largestFormsOfCase } from "../forms/formSize.ts"

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
    /**
     * Adds the answers to a form to a case of the organization: whose case it is, and whether it had room for them; none
     * when there is no such case.
     */
    readonly insertFormResponse: (
      organizationId: OrganizationId,
      caseId: CaseId,
      response: NewFormResponse,
      now: Date
    ) => Effect.Effect<Option.Option<{ readonly userId: UserId; readonly hasRoom: boolean }>>
    readonly isArchived: (organizationId: OrganizationId, id: CaseId) => Effect.Effect<boolean>
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
      ) => sql<{ userId: UserId; hasRoom: boolean }>`
        WITH own AS (
          SELECT organization_id, id, user_id FROM cases WHERE organization_id = ${organizationId} AND id = ${caseId}
        ), added AS (
          INSERT INTO form_responses (
            organization_id, id, case_id, product_id, form_id, title, content, created_at
          )
          SELECT organization_id, ${response.id}::uuid, id, ${response.productId}::uuid, ${response.formId}::uuid,
                 ${response.title}, ${response.content}, ${now}::timestamptz
          FROM own
          WHERE octet_length(${response.content}) + (
            SELECT coalesce(sum(octet_length(content)), 0) FROM form_responses
            WHERE organization_id = ${organizationId} AND case_id = ${caseId}
          ) <= ${largestFormsOfCase}::bigint
          RETURNING id
        )
        SELECT user_id, EXISTS (SELECT FROM added) AS has_room FROM own
      `

      return IntakeRepo.of({
        insertCase,
        insertFormResponse: (organizationId, caseId, response, now) =>
          insertFormResponse(organizationId, caseId, response, now).pipe(
            Effect.map(([own]) => Option.fromUndefinedOr(own)),
            Effect.orDie
          ),
        isArchived: (organizationId, id) =>
          sql`SELECT id FROM cases WHERE id = ${id} AND organization_id = ${organizationId} AND is_archived`.pipe(
            Effect.map((rows) => rows.length === 1),
            Effect.orDie
          )
      })
    })
  )
}
