import { randomUUID } from "node:crypto"
import { DocumentId, EscalationId, FormResponseId, OrganizationId, UserId } from "@care/domain/ids"
import { makePatientKeys, sealedRowsOf } from "@care/phi"
import { layerTestCipherWith } from "@care/phi/testing"
import { layerPool, rowsOf } from "@care/service-kit"
import { Effect, Layer, Redacted, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { DecisionRow } from "../src/case/decisions/DecisionsRepo.ts"
import { CommentRow } from "../src/comments/CommentsRepo.ts"
import { DocumentRow } from "../src/documents/DocumentsRepo.ts"
import { EscalationRow } from "../src/escalations/EscalationsRepo.ts"
import { FormResponseRow } from "../src/intake/answers/FormResponseRow.ts"
import { OrderRow } from "../src/orders/OrdersRepo.ts"
import type { CasesSettings } from "./runCases.ts"

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId, userId: UserId }))

const prescriber = {
  firstName: "Jane",
  lastName: "Rivera",
  title: "Dr.",
  titleSuffix: "MD",
  email: "jane@example.com",
  phoneNumber: "",
  npi: "1234567893",
  dea: "",
  address: "",
  address2: null,
  city: "",
  state: "",
  postalCode: "",
  country: null
}

const medicine = {
  id: "1",
  medicine: "Semaglutide",
  dosage: "0.25 mg",
  refillCount: 2,
  pharmacyInstructions: "Once a week",
  dosingFrequency: "",
  externalId: null,
  isRefill: true,
  treatmentPeriod: "",
  isPriorAuthRequested: false
}

const question = {
  type: "TEXT",
  required: true,
  phi: true,
  options: [],
  question: "How is it?",
  answer: "x".repeat(300)
}
/** The database of a cases process, and the cipher of its sealed columns. */
export const layerTablesOf = ({ DATABASE_URL, PHI_KEY }: CasesSettings) =>
  Layer.merge(
    layerTestCipherWith(PHI_KEY),
    layerPool({ url: Redacted.make(DATABASE_URL), schema: "cases", connections: 1, backgroundConnections: 1 })
  )

/** The ids that were added to each list of a case, oldest first. */
export type Added = Readonly<Record<(typeof lists)[number], ReadonlyArray<string>>>

/** The lists of a case in the tables of cases, by their names in a response. */
export const lists = [
  "comments",
  "notes",
  "decisions",
  "attachments",
  "orders",
  "escalations",
  "formResponses"
] as const

/**
 * Adds `count` entries to each list of a case, one for each millisecond after `from`. Each comment has a file, and notes have none. With
 * `isHeavy`, entries are large.
 */
export const addToLists = (settings: CasesSettings, caseId: string, count: number, from: string, isHeavy = false) =>
  Effect.gen(function* () {
    const sql = yield* SqlClient.SqlClient
    const { organizationId, userId } = yield* owners.one(
      sql`SELECT organization_id, user_id FROM cases WHERE id = ${caseId}`
    )
    const key = yield* (yield* makePatientKeys).of(organizationId, userId)
    const times = Array.from({ length: count }, (_, index) => new Date(Date.parse(from) + index))
    const comments = yield* sealedRowsOf(CommentRow)
    const decisions = yield* sealedRowsOf(DecisionRow)
    const documents = yield* sealedRowsOf(DocumentRow)
    const orders = yield* sealedRowsOf(OrderRow)
    const escalations = yield* sealedRowsOf(EscalationRow)
    const responses = yield* sealedRowsOf(FormResponseRow)

    const insert = Effect.fnUntraced(function* <Row extends { readonly id: string }>(
      table: string,
      rowAt: (at: Date, id: string) => Row
    ) {
      const rows = times.map((at) => rowAt(at, randomUUID()))
      yield* sql`INSERT INTO ${sql(table)} ${sql.insert(rows.map((row) => ({ ...row, caseId })))}`
      return rows.map(({ id }) => id)
    })
    const file = (commentId: string | null) => (uploadedAt: Date) => {
      const id = DocumentId.make(randomUUID())
      const fields = { fileName: "a.pdf", contentType: "application/pdf", size: 1, uploadedBy: userId, uploadedAt }
      return { ...documents.seal(key, { organizationId, id, ...fields }), id, commentId }
    }
    const addComments = (isRestricted: boolean) =>
      insert("comments", (createdAt, id) => ({
        ...comments.seal(key, { organizationId, id, authorId: userId, text: "Hello", isRestricted, createdAt }),
        id
      }))
    const added: Added = {
      comments: yield* addComments(false),
      notes: yield* addComments(true),
      decisions: yield* insert("decisions", (at, id) => ({
        ...decisions.seal(key, {
          organizationId,
          id,
          isApproved: true,
          isNoDecision: false,
          decisionText: "Approved for three months",
          category: "weight",
          visitType: "SYNC_VIDEO",
          productId: null,
          startDate: at,
          endDate: at,
          createdAt: at,
          addedBy: userId,
          medInfo: Array.from({ length: isHeavy ? 15 : 1 }, () => medicine)
        }),
        id,
        prescriber: JSON.stringify(prescriber)
      })),
      attachments: yield* insert("documents", file(null)),
      orders: yield* insert("orders", (at, id) => ({
        ...orders.seal(key, {
          organizationId,
          id,
          items: [{ name: "Semaglutide", quantity: "4" }],
          shippingLogs: [{ statusUpdatedAt: at, location: null, message: null, status: null }]
        }),
        id,
        externalId: id,
        status: "SHIPPED",
        createdAt: at,
        updatedAt: at
      })),
      escalations: yield* insert("escalations", (at, id) => ({
        ...escalations.seal(key, {
          organizationId,
          id: EscalationId.make(id),
          type: "clinical",
          note: "Please look at it"
        }),
        id,
        title: "Lab Review",
        isCompleted: true,
        createdAt: at,
        updatedAt: at
      })),
      formResponses: yield* insert("form_responses", (createdAt, id) => ({
        ...responses.seal(key, {
          organizationId,
          id: FormResponseId.make(id),
          title: "Intake",
          content: { description: null, questions: Array.from({ length: isHeavy ? 20 : 1 }, () => question) },
          createdAt
        }),
        id
      }))
    }
    const commented = added.comments.values()
    yield* insert("documents", (at) => file(commented.next().value ?? null)(at))
    return added
  }).pipe(Effect.provide(layerTablesOf(settings)), Effect.orDie)
