import { UserSummary } from "@care/domain/auth"
import { maxListed, VisitType } from "@care/domain/cases"
import { CaseId, type OrganizationId, UserId } from "@care/domain/ids"
import { jsonRows, type OpenedRow, patientKeyJson, sealedRow, sealedRowsOf } from "@care/phi"
import { rowsOf } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { SqlClient, type Statement } from "effect/sql"
import { caseColumns, caseProductColumns, caseProductKey, DecisionRow, personJson } from "../../case/index.ts"
import { CommentRow, filesOfComment } from "../../comments/index.ts"
import { DocumentRow, documentJson } from "../../documents/index.ts"
import { compileOnce } from "./fast/compileOnce.ts"

/** A case with its newest comments, notes, decisions and files, the newest first. */
const CaseWithLists = sealedRow("cases", ["organizationId", "id"], {
  ...caseColumns,
  comments: jsonRows(CommentRow),
  notes: jsonRows(CommentRow),
  decisions: jsonRows(DecisionRow),
  files: jsonRows(DocumentRow),
  people: Schema.toCodecJson(Schema.Array(UserSummary))
})
export type CaseWithLists = OpenedRow<typeof CaseWithLists>

const ids = rowsOf(Schema.Struct({ id: CaseId, userId: UserId }))
const CaseProductRow = sealedRow("case_products", caseProductKey, {
  ...caseProductColumns,
  name: Schema.String,
  price: Schema.NullOr(Schema.String),
  currency: Schema.NullOr(Schema.String),
  visitType: VisitType,
  dueDate: Schema.NullOr(Schema.String)
})

export type CustomerContact = { readonly email: string } | { readonly phoneNumber: string }

// One statement reads all of a case, because a round trip costs more than the few rows. Each list comes from an index in its order:
// sorting the lists again would take a fifth of the statement's time.
const ofCase = "organization_id = c.organization_id AND case_id = c.id"
const newestBy = (timeColumn: string) => `ORDER BY ${timeColumn} DESC, id DESC LIMIT ${maxListed}`
// The columns have the names of the code, so that rows need not be transformed.
const columns = `
  c.organization_id AS "organizationId", c.id, short_id AS "shortId", user_id AS "userId", title, status, type,
  is_test AS "isTest", is_sole AS "isSole", is_archived AS "isArchived", archive_reason AS "archiveReason",
  archive_note AS "archiveNote", assigned_to AS "assignedTo", assigned_by AS "assignedBy", assigned_at AS "assignedAt",
  in_progress_at AS "inProgressAt", closed_at AS "closedAt", c.created_at AS "createdAt", c.updated_at AS "updatedAt",
  coalesce(comments, '[]') AS comments, coalesce(notes, '[]') AS notes, coalesce(decisions, '[]') AS decisions,
  coalesce(files, '[]') AS files, coalesce(people, '[]') AS people,
  ${patientKeyJson("c.organization_id", "c.user_id")} AS "patientKey"
`
const commentList = (list: "comments" | "notes", isRestricted: boolean) => `
  CROSS JOIN LATERAL (
    SELECT array_agg(author_id) AS ${list}_by, json_agg(json_build_object(
      'organizationId', organization_id, 'id', id, 'caseId', case_id, 'authorId', author_id, 'text', text,
      'isRestricted', is_restricted, 'createdAt', created_at, 'files', ${filesOfComment}
    )) AS ${list}
    FROM (SELECT * FROM comments WHERE ${ofCase} AND is_restricted = ${isRestricted} ${newestBy("created_at")}) comments
  ) ${list}_list
`
const lists = `
  ${commentList("comments", false)}
  ${commentList("notes", true)}
  CROSS JOIN LATERAL (
    SELECT json_agg(json_build_object(
      'organizationId', d.organization_id, 'id', d.id, 'caseId', d.case_id, 'isApproved', d.is_approved,
      'isNoDecision', d.is_no_decision, 'startDate', d.start_date, 'endDate', d.end_date,
      'decisionText', d.decision_text, 'category', d.category, 'createdAt', d.created_at, 'visitType', d.visit_type,
      'productId', d.product_id, 'addedBy', d.added_by, 'prescriber', d.prescriber, 'medInfo', d.med_info
    )) AS decisions
    FROM (SELECT * FROM decisions WHERE ${ofCase} ${newestBy("created_at")}) d
  ) decisions_list
  CROSS JOIN LATERAL (
    SELECT array_agg(uploaded_by) AS uploaded_by, json_agg(${documentJson}) AS files
    FROM (SELECT * FROM documents WHERE ${ofCase} AND comment_id IS NULL ${newestBy("uploaded_at")}) f
  ) files_list
  CROSS JOIN LATERAL (
    SELECT json_agg(${personJson}) AS people
    FROM people p
    WHERE p.organization_id = c.organization_id
      AND p.id = ANY(ARRAY[c.user_id, c.assigned_to, c.assigned_by] || comments_by || notes_by || uploaded_by)
  ) people_list
`

export type ReadingRepo = Effect.Success<typeof makeReadingRepo>

export const makeReadingRepo = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const cases = yield* sealedRowsOf(CaseWithLists)
  const products = yield* sealedRowsOf(CaseProductRow)
  const selectCases = (rows: Statement.Fragment) => sql<object>`
    SELECT ${sql.literal(columns)} FROM (${rows}) c ${sql.literal(lists)}
  `

  // The ids are JSON, because PostgreSQL would plan each execution for the length of an array, which takes longer than reading a dozen cases.
  const byIds = compileOnce(sql, (ids, organizationId) =>
    selectCases(sql`
        SELECT found.* FROM json_array_elements_text(${ids}::json) AS requested (id)
        CROSS JOIN LATERAL (
          SELECT * FROM cases WHERE organization_id = ${organizationId} AND cases.id = requested.id::uuid LIMIT 1
        ) AS found
      `)
  )

  const identifies = (customer: CustomerContact) =>
    "email" in customer
      ? sql`email = ${customer.email}`
      : sql`phone_number = ${customer.phoneNumber} AND phone_number <> ''`

  // The person whose record changed last has the identifier now.
  const newest = (organizationId: OrganizationId, customer: CustomerContact) => sql`
    SELECT * FROM cases
    WHERE organization_id = ${organizationId} AND user_id = (
      SELECT id FROM people WHERE organization_id = ${organizationId} AND is_active AND ${identifies(customer)}
      ORDER BY updated_at DESC
      LIMIT 1
    )
    ORDER BY created_at DESC, id DESC
    LIMIT 1
  `

  return {
    /** Returns those of the cases that are the organization's, in any order. */
    findAll: (organizationId: OrganizationId, ids: ReadonlyArray<CaseId>) =>
      cases.all(byIds(JSON.stringify(ids), organizationId)),

    findNewest: (organizationId: OrganizationId, customer: CustomerContact) =>
      cases.first(selectCases(newest(organizationId, customer)).withoutTransform),

    findNewestId: (organizationId: OrganizationId, customer: CustomerContact) =>
      ids.first(newest(organizationId, customer)),

    products: (organizationId: OrganizationId, id: CaseId) =>
      products.all(sql`
        SELECT cp.organization_id, cp.case_id, cp.product_id, p.name, trim_scale(p.price)::text AS price, p.currency, cp.status, cp.visit_type,
               to_char(cp.due_date, 'YYYY-MM-DD') AS due_date, cp.closed_at, cp.close_reason
        FROM case_products cp JOIN products p ON p.organization_id = cp.organization_id AND p.id = cp.product_id
        WHERE cp.organization_id = ${organizationId} AND cp.case_id = ${id}
        ORDER BY cp.index
      `)
  }
})
