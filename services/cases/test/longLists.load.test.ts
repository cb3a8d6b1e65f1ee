import { CaseId, OrganizationId } from "@care/domain/ids"
import { newest, rowsOf } from "@care/service-kit"
import { readsOf } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeDecisionsRepo } from "../src/case/decisions/DecisionsRepo.ts"
import { makeCommentsRepo } from "../src/comments/CommentsRepo.ts"
import { makeDocumentsRepo } from "../src/documents/DocumentsRepo.ts"
import { makeEscalationsRepo } from "../src/escalations/EscalationsRepo.ts"
import { FormResponses } from "../src/intake/answers/FormResponses.ts"
import { makeOrdersRepo } from "../src/orders/OrdersRepo.ts"
import { caseWithFiles, detailPath, textFile } from "./caseWithFiles.ts"
import { type Added, addToLists, layerTablesOf, lists } from "./longLists.ts"
import { Cases, layerCases } from "./runCases.ts"

const bound = 1000
const tooMany = bound + 3

const Entries = Schema.Array(
  Schema.Struct({ id: Schema.String, attachments: Schema.optional(Schema.Array(Schema.Unknown)) })
)
const Lists = Schema.Struct({
  comments: Entries,
  notes: Entries,
  decisions: Entries,
  attachments: Entries,
  orders: Entries
})
const decodeDetail = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Struct({ caseDetail: Lists })))
const decodeCase = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ ...Lists.fields, escalations: Entries, formResponses: Entries }))
)
const decodePage = Schema.decodeUnknownSync(
  Schema.fromJsonString(Schema.Struct({ data: Entries, nextCursor: Schema.NullOr(Schema.String) }))
)

const owners = rowsOf(Schema.Struct({ organizationId: OrganizationId }))

// The rows that make the lists long: older rows of each, newer notes beside comments, and newer files of a note beside those of the case.
const floods = [
  ["comments", "is_restricted = false", "'created_at', '2020-01-01'"],
  ["comments", "is_restricted = true", "'created_at', '2035-01-01'"],
  ["decisions", "id IS NOT NULL", "'created_at', '2020-01-01'"],
  ["documents", "comment_id IS NULL", "'uploaded_at', '2020-01-01'"],
  [
    "documents",
    "comment_id IS NULL",
    "'uploaded_at', '2035-01-01', 'comment_id', (SELECT id FROM comments WHERE is_restricted LIMIT 1)"
  ],
  ["orders", "id IS NOT NULL", "'created_at', '2020-01-01'"],
  ["escalations", "id IS NOT NULL", "'created_at', '2020-01-01'"],
  ["form_responses", "id IS NOT NULL", "'created_at', '2020-01-01'"]
] as const

const idsOf = (entries: typeof Entries.Type) => entries.map(({ id }) => id)

// The path of each list, and its ids among the added ones.
const pages: Readonly<Record<string, (added: Added) => ReadonlyArray<string>>> = {
  "comments?isRestricted=false&": ({ comments }) => comments,
  "comments?isRestricted=true&": ({ notes }) => notes,
  "decisions?": ({ decisions }) => decisions,
  "attachments?": ({ attachments }) => attachments,
  "orders?": ({ orders }) => orders,
  "escalations?": ({ escalations }) => escalations,
  "form-responses?": ({ formResponses }) => formResponses
}

layer(layerCases, { excludeTestServices: true, timeout: "60 seconds" })("a case with long lists", (it) => {
  const asOperator = Effect.fnUntraced(function* (path: string) {
    const { call, headers } = yield* Cases
    return yield* call("GET", path, undefined, yield* headers("operator"))
  })

  const caseWith = Effect.fnUntraced(function* (count: number) {
    const { settings } = yield* Cases
    const caseId = yield* caseWithFiles([[textFile(10)]])
    return { caseId, added: yield* addToLists(settings, caseId, count, "2030-01-01T00:00:00.000Z") }
  })

  it.effect("shows the newest thousand of each list, oldest first, to its partner and to the back office", () =>
    Effect.gen(function* () {
      const { added, caseId } = yield* caseWith(tooMany)
      const path = `${detailPath(caseId, "url")}&includeOrders=true`
      const { caseDetail } = decodeDetail((yield* (yield* Cases).call("GET", path)).text)
      const adminCase = decodeCase((yield* asOperator(`/admin/v1/cases/${caseId}`)).text)
      for (const list of lists) {
        const newest = added[list].slice(-bound)
        if (list !== "formResponses" && list !== "escalations")
          assert.deepStrictEqual(idsOf(caseDetail[list]), newest, list)
        assert.deepStrictEqual(idsOf(adminCase[list]), newest, list)
      }
      assert.isTrue(caseDetail.comments.every(({ attachments }) => attachments?.length === 1))
      assert.isTrue(caseDetail.notes.every(({ attachments }) => attachments?.length === 0))
    })
  )

  it.effect("lists every entry once, newest first, page by page, also when others are added meanwhile", () =>
    Effect.gen(function* () {
      const { settings } = yield* Cases
      const { added, caseId } = yield* caseWith(45)
      for (const [list, idsIn] of Object.entries(pages)) {
        const seen: Array<string> = []
        let cursor = ""
        do {
          const answer = yield* asOperator(`/admin/v1/cases/${caseId}/${list}limit=20${cursor}`)
          assert.strictEqual(answer.status, 200, answer.text)
          const { data, nextCursor } = decodePage(answer.text)
          assert.isAtMost(data.length, 20)
          seen.push(...idsOf(data))
          cursor = nextCursor === null ? "" : `&cursor=${nextCursor}`
          if (cursor !== "") yield* addToLists(settings, caseId, 3, "2031-01-01T00:00:00.000Z")
        } while (cursor !== "")
        // Before and after are the entries that the case began with, and those that were added while earlier lists were read.
        const addedIds = idsIn(added)
        const first = seen.indexOf(addedIds.at(-1) ?? "")
        assert.deepStrictEqual(seen.slice(first, first + addedIds.length), addedIds.toReversed(), list)
        assert.strictEqual(new Set(seen).size, seen.length, list)
      }
    })
  )

  it.effect("lists comments and internal notes together without a filter", () =>
    Effect.gen(function* () {
      const { added, caseId } = yield* caseWith(7)
      const both = decodePage((yield* asOperator(`/admin/v1/cases/${caseId}/comments?limit=100`)).text)
      assert.includeMembers(idsOf(both.data), [...added.comments, ...added.notes])
      const newest = decodePage((yield* asOperator(`/admin/v1/cases/${caseId}/comments?limit=2`)).text)
      assert.sameMembers(idsOf(newest.data), [added.comments.at(-1), added.notes.at(-1)])
    })
  )

  it.effect("a page costs the same however long the lists of the same tables are", () =>
    Effect.gen(function* () {
      const { settings } = yield* Cases
      const { caseId } = yield* caseWith(60)
      const id = CaseId.make(caseId)
      const work = Effect.gen(function* () {
        const sql = yield* SqlClient.SqlClient
        const [comments, decisions, documents, escalations, orders] = yield* Effect.all([
          makeCommentsRepo,
          makeDecisionsRepo,
          makeDocumentsRepo,
          makeEscalationsRepo,
          makeOrdersRepo
        ])
        const responses = yield* FormResponses
        const { organizationId } = yield* owners.one(sql`SELECT organization_id FROM cases WHERE id = ${caseId}`)
        const tables = ["comments", "decisions", "documents", "orders", "escalations", "form_responses"]
        const reads = readsOf(
          tables,
          Effect.all([
            comments.newest([false], [organizationId, id, newest, 50]),
            decisions.newest(organizationId, id, newest, 50),
            documents.newest(organizationId, id, newest, 50),
            orders.newest(organizationId, id, newest, 50),
            escalations.newest(organizationId, id, newest, 50),
            responses.newest(organizationId, id, newest, 50)
          ])
        )
        const few = yield* reads
        yield* Effect.forEach(floods, ([table, condition, changes], index) =>
          sql.unsafe(`
            INSERT INTO ${table}
            SELECT copy.* FROM ${table} t, generate_series(1, 10) AS n,
              jsonb_populate_record(t, jsonb_build_object('id', md5(concat(t.id, n, ${index}))::uuid, ${changes})) AS copy
            WHERE t.case_id = '${caseId}' AND t.${condition}
          `)
        )
        yield* sql.unsafe(`ANALYZE ${tables}`)
        const many = yield* reads
        assert.isAbove(few, 300)
        // With statistics the planner looks at both ends of the index of all documents by time.
        assert.isAtMost(many, few + 2)
      })
      yield* work.pipe(Effect.provide(FormResponses.layer.pipe(Layer.provideMerge(layerTablesOf(settings)))))
    })
  )
})
