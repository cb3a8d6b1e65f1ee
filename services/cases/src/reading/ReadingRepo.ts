import {
  CaseId,
  CaseProduct,
  CaseStatus,
  Decision,
  FormResponse,
  OrganizationId,
  UserId,
  VisitType
} from "@care/domain"
import { rowsOf } from "@care/service-kit"
import { Effect, Option, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DocumentRow } from "../documents/DocumentsRepo.ts"

// Far more than any case has; a list without a bound could not be read.
const longestList = 5000

/** A comment as it is stored: its text is sealed. */
const CommentRow = Schema.Struct({
  id: Schema.String,
  authorId: UserId,
  text: Schema.String,
  isRestricted: Schema.Boolean,
  createdAt: Schema.Date
})
export type CommentRow = typeof CommentRow.Type

/** A decision as it is stored: text, category and medicines are sealed. */
const DecisionRow = Schema.Struct({ ...Decision.fields, medInfo: Schema.String })
export type DecisionRow = typeof DecisionRow.Type

/**
 * A case as it is stored, with what was said, decided and attached, oldest first. Names of files, reason and note of an
 * archived case are sealed.
 */
const CaseRow = Schema.Struct({
  id: CaseId,
  shortId: Schema.String,
  organizationId: OrganizationId,
  userId: UserId,
  title: Schema.String,
  status: CaseStatus,
  type: VisitType,
  isTest: Schema.Boolean,
  isArchived: Schema.Boolean,
  archiveReason: Schema.NullOr(Schema.String),
  archiveNote: Schema.NullOr(Schema.String),
  assignedTo: Schema.NullOr(UserId),
  assignedBy: Schema.NullOr(UserId),
  inProgressAt: Schema.NullOr(Schema.Date),
  closedAt: Schema.NullOr(Schema.Date),
  createdAt: Schema.Date,
  updatedAt: Schema.Date,
  comments: Schema.toCodecJson(Schema.Array(CommentRow)),
  decisions: Schema.toCodecJson(Schema.Array(DecisionRow)),
  files: Schema.toCodecJson(Schema.Array(DocumentRow))
})
export type CaseRow = typeof CaseRow.Type

const { description: _, questions: __, ...shownOfForm } = FormResponse.fields

/** A form response as it is stored: `content` is sealed. */
const FormResponseRow = Schema.Struct({ ...shownOfForm, createdAt: Schema.Date, content: Schema.String })
export type FormResponseRow = typeof FormResponseRow.Type

const cases = rowsOf(CaseRow)
const ids = rowsOf(Schema.Struct({ id: CaseId }))
const products = rowsOf(CaseProduct)
const formResponses = rowsOf(FormResponseRow)

// Everything of a case in one statement: a round trip costs more than the few rows.
const ofCase = "organization_id = cases.organization_id AND case_id = cases.id"
const columns = `
  id, short_id, organization_id, user_id, title, status, type, is_test, is_archived, archive_reason, archive_note,
  assigned_to, assigned_by, in_progress_at, closed_at, created_at, updated_at,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object(
      'id', m.id, 'authorId', m.author_id, 'text', m.text, 'isRestricted', m.is_restricted,
      'createdAt', m.created_at
    ))
    FROM (SELECT * FROM comments WHERE ${ofCase} ORDER BY created_at, id LIMIT ${longestList}) m
  ), '[]') AS comments,
  coalesce((
    SELECT jsonb_agg(jsonb_build_object(
      'id', d.id, 'isApproved', d.is_approved, 'isNoDecision', d.is_no_decision, 'startDate', d.start_date,
      'endDate', d.end_date, 'decisionText', d.decision_text, 'category', d.category, 'createdAt', d.created_at,
      'visitType', d.visit_type, 'productId', d.product_id, 'addedBy', d.prescriber, 'medInfo', d.med_info
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

/** SQL of reading cases. */
export const makeReadingRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
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
        SELECT id, product_id, form_id, title, content, created_at FROM form_responses
        WHERE organization_id = ${organizationId} AND case_id = ${id}
        ORDER BY created_at, id
      `)
  }
})
