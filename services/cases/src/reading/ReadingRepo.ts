import { CaseProduct, VisitType } from "@care/domain/cases"
import { CaseId, type OrganizationId, UserId } from "@care/domain/ids"
import { jsonRows, type OpenedRow, rowsOf, sealedRow, sealedRowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { CommentRow } from "../comments/CommentsRepo.ts"
import { DecisionRow } from "../decisions/DecisionsRepo.ts"
import { DocumentRow } from "../documents/DocumentsRepo.ts"
import { FormResponseRow } from "../forms/FormResponseRow.ts"
import { caseColumns } from "../lifecycle/CasesRepo.ts"

// Far more than any case has; a list without a bound could not be read.
const longestList = 5000

/** A case as it is stored, with what was said, decided and attached, oldest first. */
const CaseRow = sealedRow("cases", ["organizationId", "id"], {
  ...caseColumns,
  shortId: Schema.String,
  userId: UserId,
  title: Schema.String,
  type: VisitType,
  isTest: Schema.Boolean,
  assignedBy: Schema.NullOr(UserId),
  createdAt: Schema.Date,
  comments: jsonRows(CommentRow),
  decisions: jsonRows(DecisionRow),
  files: jsonRows(DocumentRow)
})
export type CaseRow = OpenedRow<typeof CaseRow>

const ids = rowsOf(Schema.Struct({ id: CaseId }))
const products = rowsOf(CaseProduct)

// Everything of a case in one statement: a round trip costs more than the few rows.
const ofCase = "organization_id = cases.organization_id AND case_id = cases.id"
const columns = `
  organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, is_archived, archive_reason, archive_note,
  assigned_to, assigned_by, assigned_at, in_progress_at, closed_at, created_at, updated_at,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object(
      'organizationId', m.organization_id, 'id', m.id, 'caseId', m.case_id, 'authorId', m.author_id, 'text', m.text,
      'isRestricted', m.is_restricted, 'createdAt', m.created_at
    ))
    FROM (SELECT * FROM comments WHERE ${ofCase} ORDER BY created_at, id LIMIT ${longestList}) m
  ), '[]') AS comments,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object(
      'organizationId', d.organization_id, 'id', d.id, 'caseId', d.case_id, 'isApproved', d.is_approved,
      'isNoDecision', d.is_no_decision, 'startDate', d.start_date, 'endDate', d.end_date,
      'decisionText', d.decision_text, 'category', d.category, 'createdAt', d.created_at, 'visitType', d.visit_type,
      'productId', d.product_id, 'addedBy', d.added_by, 'prescriber', d.prescriber, 'medInfo', d.med_info
    ))
    FROM (SELECT * FROM decisions WHERE ${ofCase} ORDER BY created_at, id LIMIT ${longestList}) d
  ), '[]') AS decisions,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object(
      'id', f.id, 'organizationId', f.organization_id, 'caseId', f.case_id, 'commentId', f.comment_id,
      'fileName', f.file_name, 'contentType', f.content_type, 'size', f.size, 'uploadedBy', f.uploaded_by,
      'uploadedAt', f.uploaded_at
    ))
    FROM (SELECT * FROM documents WHERE ${ofCase} ORDER BY uploaded_at, id LIMIT ${longestList}) f
  ), '[]') AS files
`

export const makeReadingRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = yield* sealedRowsOf(CaseRow)
  const formResponses = yield* sealedRowsOf(FormResponseRow)
  const everything = sql.literal(columns)
  const newest = (organizationId: OrganizationId, userId: UserId) => sql`
    FROM cases WHERE organization_id = ${organizationId} AND user_id = ${userId}
    ORDER BY created_at DESC, id DESC
    LIMIT 1
  `

  return {
    findById: (organizationId: OrganizationId, id: CaseId) =>
      cases.first(sql`SELECT ${everything} FROM cases WHERE organization_id = ${organizationId} AND id = ${id}`),

    findNewest: (organizationId: OrganizationId, userId: UserId) =>
      cases.first(sql`SELECT ${everything} ${newest(organizationId, userId)}`),

    findNewestId: (organizationId: OrganizationId, userId: UserId) =>
      Effect.map(
        ids.first(sql`SELECT id ${newest(organizationId, userId)}`),
        Option.map(({ id }) => id)
      ),

    products: (organizationId: OrganizationId, id: CaseId) =>
      products.all(sql`
        SELECT cp.product_id, p.name, cp.status, cp.visit_type, to_char(cp.due_date, 'YYYY-MM-DD') AS due_date
        FROM case_products cp JOIN products p ON p.organization_id = cp.organization_id AND p.id = cp.product_id
        WHERE cp.organization_id = ${organizationId} AND cp.case_id = ${id}
        ORDER BY cp.index
      `),

    formResponses: (organizationId: OrganizationId, id: CaseId) =>
      formResponses.all(sql`
        SELECT organization_id, id, product_id, form_id, title, content, created_at FROM form_responses
        WHERE organization_id = ${organizationId} AND case_id = ${id}
        ORDER BY created_at, id
      `)
  }
})
