import type { FastifyInstance } from "fastify"
import type pg from "pg"
import { caseAnywhere, caseById, newestCase } from "./caseDetailQuery.ts"
import { caseDetailSchema } from "./caseDetailSchema.ts"
import type { PeerAudit } from "./makeAudit.ts"
import type { makeCipher, StoredKey } from "./makeCipher.ts"

interface Person {
  readonly id: string
  readonly createdAt: string
  readonly updatedAt: string
}

interface CommentRow {
  readonly id: string
  readonly text: string
  readonly isRestricted: boolean
  readonly createdAt: string
  readonly author: Person
  readonly files: ReadonlyArray<FileRow> | null
}

interface DecisionRow {
  readonly id: string
  readonly startDate: string
  readonly endDate: string
  readonly createdAt: string
  readonly decisionText: string
  readonly category: string | null
  readonly medInfo: string
}

interface FileRow {
  readonly id: string
  readonly fileName: string
  readonly uploadedAt: string
  readonly uploadedBy: Person
}

interface CaseRow {
  readonly id: string
  readonly short_id: string
  readonly created_at: Date
  readonly updated_at: Date
  readonly title: string
  readonly status: string
  readonly type: string
  readonly in_progress_at: Date | null
  readonly closed_at: Date | null
  readonly is_archived: boolean
  readonly submitter: Person
  readonly assigned_to: Person | null
  readonly assigned_by: Person | null
  readonly comments: ReadonlyArray<CommentRow> | null
  readonly notes: ReadonlyArray<CommentRow> | null
  readonly decisions: ReadonlyArray<DecisionRow> | null
  readonly patient_key: StoredKey
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const personBody = (person: Person) => ({
  ...person,
  createdAt: new Date(person.createdAt),
  updatedAt: new Date(person.updatedAt)
})

const shownOrNull = (person: Person | null) => (person === null ? null : personBody(person))

const detailOf = (row: CaseRow, { ofPatient }: ReturnType<typeof makeCipher>, organizationId: string) => {
  const cipher = ofPatient(organizationId, row.patient_key)
  const commentBodies = (comments: ReadonlyArray<CommentRow> | null) =>
    (comments ?? []).map((comment) => ({
      ...comment,
      text: cipher.open(comment.text, "comments.text", organizationId, comment.id),
      createdAt: new Date(comment.createdAt),
      author: personBody(comment.author),
      attachments: (comment.files ?? []).map((file) => ({
        ...file,
        fileName: cipher.open(file.fileName, "documents.file_name", organizationId, file.id),
        uploadedAt: new Date(file.uploadedAt),
        uploadedBy: personBody(file.uploadedBy)
      }))
    }))
  return {
    id: row.id,
    shortId: row.short_id,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    title: row.title,
    status: row.status,
    type: row.type,
    submitter: personBody(row.submitter),
    assignedTo: shownOrNull(row.assigned_to),
    assignedBy: shownOrNull(row.assigned_by),
    inProgressAt: row.in_progress_at,
    closedAt: row.closed_at,
    isArchived: row.is_archived,
    comments: commentBodies(row.comments),
    notes: commentBodies(row.notes),
    decisions: (row.decisions ?? []).map((decision) => {
      const open = (sealed: string, column: string) =>
        cipher.open(sealed, `decisions.${column}`, organizationId, decision.id)
      return {
        ...decision,
        startDate: new Date(decision.startDate),
        endDate: new Date(decision.endDate),
        createdAt: new Date(decision.createdAt),
        decisionText: open(decision.decisionText, "decision_text"),
        category: decision.category === null ? null : open(decision.category, "category"),
        medInfo: open(decision.medInfo, "med_info")
      }
    })
  }
}

/** GET /api/v1/customer-case-detail, by the id of a case or the email of its patient. */
export const caseDetail = (
  app: FastifyInstance,
  pool: pg.Pool,
  cipher: ReturnType<typeof makeCipher>,
  audit: PeerAudit
) => {
  const find = async (organizationId: string, caseId: string, email: string) => {
    if (caseId === "") {
      const values = [organizationId, email.toLowerCase()]
      return (await pool.query<CaseRow>({ name: "newestCase", text: newestCase, values })).rows[0]
    }
    if (!uuid.test(caseId)) return undefined
    return (await pool.query<CaseRow>({ name: "caseById", text: caseById, values: [organizationId, caseId] })).rows[0]
  }

  app.get<{ Querystring: { readonly caseId?: string; readonly email?: string } }>(
    "/api/v1/customer-case-detail",
    { schema: caseDetailSchema },
    async (request, reply) => {
      const organizationId = String(request.headers["x-organization-id"])
      const caseId = (request.query.caseId ?? "").trim()
      const email = (request.query.email ?? "").trim()
      const refuse = (status: number, error: string) =>
        reply.code(status).send({ status, success: false, message: "Invalid request", error })
      if (caseId === "" && email === "") return refuse(400, "caseId or email parameters must be provided!")
      const row = await find(organizationId, caseId, email)
      if (row !== undefined) {
        audit.read({
          organization_id: organizationId,
          action: "CASE_READ",
          actor_type: "API_KEY",
          actor_id: String(request.headers["x-api-key-id"]),
          case_id: row.id,
          user_id: row.submitter.id,
          request_id: String(request.headers["x-request-id"]),
          kinds: ["CASES", "PROFILE", "COMMENTS", "DECISIONS"]
        })
        return { status: 200, success: true, caseDetail: detailOf(row, cipher, organizationId) }
      }
      const isElsewhere = uuid.test(caseId) && (await pool.query(caseAnywhere, [caseId])).rowCount === 1
      return isElsewhere ? refuse(403, "Permission denied!") : refuse(404, "No Case found for provided details!")
    }
  )
}
