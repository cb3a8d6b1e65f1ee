import type { Provenance } from "@care/audit"
import type { PersonSnapshot } from "@care/domain/auth"
import { activeStatuses, type CaseStatus, type VisitType } from "@care/domain/cases"
import type { KnownAddress } from "@care/domain/http"
import type { CaseId, OrganizationId, ProductId } from "@care/domain/ids"
import { IntentInUse } from "@care/domain/payments"
import type { Job } from "@care/jobs"
import { type PatientKey, sealedRowsOf } from "@care/phi"
import { affects, onViolation, rowsOf } from "@care/service-kit"
import { Data, Effect, Schema } from "effect"
import { SqlClient, Statement } from "effect/sql"
import { CaseAddressRow, insertActivity, upsertPerson } from "../case/index.ts"
import { FormResponseRow } from "./answers/FormResponseRow.ts"

// The stored forms of a case are limited, because a reader of the case loads them all together.
const maxFormBytesPerCase = 8 * 1024 * 1024

type NewFormResponse = Omit<FormResponseRow, "organizationId" | "createdAt">

/** A new case. `isSole`: it is stored only if the patient has no other active case in the organization. */
export interface NewCase {
  readonly id: CaseId
  readonly organizationId: OrganizationId
  readonly patient: PersonSnapshot
  /** The patient was created for this case. */
  readonly isNewPatient: boolean
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

/** The key that sealed the answers is not the patient's any more. Nothing was stored. */
export class PatientKeyGone extends Data.TaggedError("PatientKeyGone") {}

/** The short id is taken. The case was not stored. */
export class ShortIdTaken extends Data.TaggedError("ShortIdTaken") {}

type InsertRefusal = ActiveCaseExists | IntentInUse | ShortIdTaken | PatientKeyGone

const concatenate = Statement.join(" ", false)

const outcomes = rowsOf(Schema.Struct({ isCreated: Schema.Boolean, hasActive: Schema.Boolean, hasKey: Schema.Boolean }))

export const makeIntakeRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const responses = yield* sealedRowsOf(FormResponseRow)
  const addresses = yield* sealedRowsOf(CaseAddressRow)
  const sealedResponses = (key: PatientKey, { formResponses, organizationId }: NewCase) =>
    JSON.stringify(formResponses.map((response) => responses.seal(key, { organizationId, ...response })))

  const insertAddress = (key: PatientKey, { createdAt, id, organizationId }: NewCase, address: KnownAddress | null) => {
    if (address === null) return sql``
    const { shippingAddress } = addresses.seal(key, {
      organizationId,
      caseId: id,
      shippingAddress: address,
      reportedAt: createdAt
    })
    return sql`, new_address AS (
      INSERT INTO case_addresses (organization_id, case_id, shipping_address, reported_at)
      SELECT organization_id, id, ${shippingAddress}, created_at FROM created
    )`
  }

  const insertJobs = (jobs: ReadonlyArray<Job.PreparedJob>) =>
    concatenate(
      jobs.map(({ insertFor }, index) => sql`, ${sql(`job_${index}`)} AS (${insertFor(sql.literal("created"))})`)
    )

  return {
    /**
     * Stores a case with its products, answers and address, and the jobs that follow from it. `key` is the patient's key, which seals the
     * answers. `keyStatement` stores or finds `key`: when it returns no row, nothing is stored.
     */
    // One statement, although it is long: as a read and short writes in one transaction, with up to ten round trips, the suite made half as
    // many cases (153 a second instead of 288 in `pnpm bench`), at 45 % more CPU.
    insertCase: (
      row: NewCase,
      {
        provenance,
        intentId,
        jobs,
        key,
        keyStatement,
        shippingAddress,
        shortId
      }: {
        readonly key: PatientKey
        readonly keyStatement: Statement.Fragment
        readonly shortId: string
        /** The payment intent that the case was created with. */
        readonly intentId: string | null
        readonly shippingAddress: KnownAddress | null
        readonly jobs: ReadonlyArray<Job.PreparedJob>
        readonly provenance: Provenance
      }
    ) =>
      outcomes
        .one(
          sql`
            WITH patient_key AS (${keyStatement}), other AS (
              SELECT EXISTS (
                SELECT FROM cases
                WHERE organization_id = ${row.organizationId} AND user_id = ${row.patient.person.id}
                  AND NOT is_archived AND status = ANY(${activeStatuses}::text[])
              ) AS is_active
            ), created AS (
              INSERT INTO cases (
                id, short_id, organization_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at,
                intent_id
              )
              SELECT ${row.id}::uuid, ${shortId}, ${row.organizationId}::uuid, ${row.patient.person.id}::uuid, ${row.title},
                     ${row.status}, ${row.type}, ${row.isTest}::boolean, ${row.isSole}::boolean,
                     ${row.createdAt}::timestamptz, ${row.createdAt}::timestamptz, ${intentId}::text
              FROM other WHERE (NOT ${row.isSole}::boolean OR NOT is_active) AND EXISTS (SELECT FROM patient_key)
              ON CONFLICT (organization_id, short_id) DO NOTHING
              RETURNING id, organization_id, user_id, created_at, updated_at, activity_count, status
            ), ${insertActivity(sql, sql.literal("created"), {
              ...provenance,
              type: "CASE_CREATED",
              details: sql`${JSON.stringify({ status: row.status })}::jsonb`
            })},
            new_person AS (
              ${upsertPerson(sql, row.patient)}
            ), new_products AS (
              INSERT INTO case_products (organization_id, case_id, index, product_id, visit_type)
              SELECT c.organization_id, c.id, p.index, p."productId", p."visitType"
              FROM created c, jsonb_to_recordset(${JSON.stringify(row.products.map((product, index) => ({ index, ...product })))}::jsonb)
                AS p (index integer, "productId" uuid, "visitType" text)
            ), new_responses AS (
              INSERT INTO form_responses (
                organization_id, id, case_id, product_id, form_id, title, content, created_at
              )
              SELECT c.organization_id, f.id, c.id, f."productId", f."formId", f.title, f.content, c.created_at
              FROM created c, jsonb_to_recordset(${sealedResponses(key, row)}::jsonb)
                AS f (id uuid, "productId" uuid, "formId" uuid, title text, content text)
            )${insertAddress(key, row, shippingAddress)}${insertJobs(jobs)}
            SELECT EXISTS (SELECT FROM created) AS is_created, is_active AS has_active,
                   EXISTS (SELECT FROM patient_key) AS has_key
            FROM other
          `.pipe(
            onViolation("cases_sole", () => new ActiveCaseExists()),
            onViolation("cases_by_intent", () => new IntentInUse())
          )
        )
        .pipe(
          Effect.flatMap(({ hasActive, hasKey, isCreated }): Effect.Effect<void, InsertRefusal> => {
            if (isCreated) return Effect.void
            if (!hasKey) return new PatientKeyGone()
            return row.isSole && hasActive ? new ActiveCaseExists() : new ShortIdTaken()
          })
        ),

    /** Returns whether another case of the organization was created with a payment intent. */
    isIntentUsed: (organizationId: OrganizationId, caseId: CaseId, intentId: string) =>
      affects(sql`
        SELECT id FROM cases WHERE organization_id = ${organizationId} AND intent_id = ${intentId} AND id <> ${caseId}
      `),

    /** Stores the answers to a form of a case. Returns false when the case has no room for them. */
    insertFormResponse: (
      key: PatientKey,
      organizationId: OrganizationId,
      caseId: CaseId,
      response: NewFormResponse,
      now: Date
    ) => {
      const { content } = responses.seal(key, { organizationId, ...response })
      return affects(sql`
        INSERT INTO form_responses (
          organization_id, id, case_id, product_id, form_id, title, content, created_at
        )
        SELECT ${organizationId}::uuid, ${response.id}::uuid, ${caseId}::uuid, ${response.productId}::uuid,
               ${response.formId}::uuid, ${response.title}, ${content}, ${now}::timestamptz
        WHERE octet_length(${content}) + (
          SELECT coalesce(sum(octet_length(content)), 0) FROM form_responses
          WHERE organization_id = ${organizationId} AND case_id = ${caseId}
        ) <= ${maxFormBytesPerCase}::bigint
        RETURNING id
      `)
    }
  }
})
