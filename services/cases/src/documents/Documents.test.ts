import { randomBytes, randomUUID } from "node:crypto"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain/ids"
import { layerIdleJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Exit, Layer, Option, Stream } from "effect"
import { SqlClient } from "effect/sql"
import { TestClock } from "effect/testing"
import { CaseReplication } from "../case/lifecycle/CaseReplication.ts"
import { Cases } from "../case/lifecycle/Cases.ts"
import { DocumentStore } from "./DocumentStore.ts"
import { Documents, type NewDocument } from "./Documents.ts"
import { pieceBytes, type SizedDocument } from "./pieces.ts"
import { checkFile, maxFileBytes } from "./receiveFile.ts"

const database = layerAuditedDatabase("cases")
const makeCase = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const caseId = CaseId.make(randomUUID())
  const organizationId = OrganizationId.make(randomUUID())
  yield* sql`
    INSERT INTO cases (id, short_id, organization_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at)
    VALUES (${caseId}, ${caseId}, ${organizationId}, ${randomUUID()}, '', 'OPEN', 'ASYNC_TEXT_EMAIL', true, false, now(), now())
  `
  return { caseId, organizationId }
})

const pdfOf = (size: number) => Buffer.concat([Buffer.from("%PDF-1.7\n"), randomBytes(size - 9)])

interface TestFile extends Omit<NewDocument, "file"> {
  readonly fileName: string
  readonly declaredType?: string
  readonly bytes: Buffer
}

const fileOf = (owner: Pick<NewDocument, "caseId" | "organizationId">, changes: Partial<TestFile> = {}): TestFile => ({
  ...owner,
  fileName: "report.pdf",
  bytes: pdfOf(1000),
  uploadedBy: UserId.make(randomUUID()),
  ...changes
})

// Checks a file and adds it, as a request does.
const add = Effect.fnUntraced(function* ({ bytes, declaredType, fileName, ...document }: TestFile) {
  const file = yield* checkFile("content", { fileName, declaredType, bytes })
  return yield* (yield* Documents).add({ ...document, file })
})

const ofCase = Effect.fnUntraced(function* (organizationId: OrganizationId, caseId: CaseId) {
  const sql = yield* SqlClient.SqlClient
  const documents = yield* Documents
  const rows = yield* sql<{ id: DocumentId }>`
    SELECT id FROM documents WHERE organization_id = ${organizationId} AND case_id = ${caseId} ORDER BY uploaded_at, id
  `
  return yield* Effect.forEach(rows, ({ id }) => Effect.map(documents.find(organizationId, id), Option.getOrThrow))
})

const makeComment = Effect.fnUntraced(function* ({
  caseId,
  organizationId
}: Pick<NewDocument, "caseId" | "organizationId">) {
  const sql = yield* SqlClient.SqlClient
  const id = randomUUID()
  yield* sql`
    INSERT INTO comments (organization_id, id, case_id, author_id, text, is_restricted, created_at)
    VALUES (${organizationId}, ${id}, ${caseId}, ${randomUUID()}, '', false, now())
  `
  return id
})

const contentsOf = Effect.fnUntraced(function* (organizationId: OrganizationId, document: SizedDocument) {
  const pieces = yield* (yield* DocumentStore).read(organizationId, [document])
  return Buffer.concat((yield* Stream.runCollect(pieces)).map(({ bytes }) => bytes))
})

const anId = () => DocumentId.make(randomUUID())
const parallel = { concurrency: "unbounded" } as const

layer(
  Documents.layer.pipe(
    Layer.provideMerge(DocumentStore.layerPostgres),
    Layer.provideMerge(Cases.layer),
    Layer.provide(CaseReplication.layer),
    Layer.provide(layerIdleJobs),
    Layer.provideMerge(layerTestCipher),
    Layer.provideMerge(database)
  )
)("Documents", (it) => {
  it.effect("a file that a job attaches is recorded once, also by repeated and parallel attempts", () =>
    Effect.gen(function* () {
      const documents = yield* Documents
      const sql = yield* SqlClient.SqlClient
      const owner = yield* makeCase
      const { bytes, declaredType, fileName, ...document } = fileOf(owner, { id: DocumentId.make(randomUUID()) })
      const file = yield* checkFile("content", { fileName, declaredType, bytes })
      const attached = yield* Effect.replicateEffect(documents.attach({ ...document, file }), 5, parallel)
      assert.deepStrictEqual(new Set(attached.map(({ id }) => id)), new Set([document.id]))
      assert.deepStrictEqual(
        yield* sql`SELECT sequence, type, actor_type, details FROM case_activity WHERE case_id = ${owner.caseId}`,
        [{ sequence: 2, type: "FILE_ATTACHED", actorType: "JOB", details: { documentId: document.id } }]
      )
    })
  )

  for (const size of [0, 1, pieceBytes, pieceBytes + 1, 3 * 1024 * 1024]) {
    it.effect(`contents of ${size} bytes come back as they were, and are not readable in the database`, () =>
      Effect.gen(function* () {
        const store = yield* DocumentStore
        const sql = yield* SqlClient.SqlClient
        const own = yield* makeCase
        const { id } = yield* add(fileOf(own))
        yield* sql`DELETE FROM document_pieces WHERE document_id = ${id}`
        const bytes = randomBytes(size)
        yield* store.write(yield* (yield* Cases).keyOf(own.organizationId, own.caseId), { ...own, id }, bytes)

        assert.isTrue((yield* contentsOf(own.organizationId, { id, size })).equals(bytes))
        const pieces = yield* sql<{ length: number; readable: boolean }>`
            SELECT length(bytes), position(${bytes.subarray(0, 16)}::bytea IN bytes) > 0 AS readable
            FROM document_pieces WHERE document_id = ${id}
          `
        assert.strictEqual(pieces.length, Math.max(1, Math.ceil(size / pieceBytes)))
        assert.isTrue(pieces.every(({ length }) => length <= pieceBytes + 64))
        if (size >= 16) assert.isFalse(pieces.some(({ readable }) => readable))
      })
    )
  }

  it.effect("the largest file is accepted, and one byte more is refused", () =>
    Effect.gen(function* () {
      const own = yield* makeCase
      const bytes = pdfOf(maxFileBytes)
      const added = yield* add(fileOf(own, { bytes }))
      assert.strictEqual(added.size, maxFileBytes)
      assert.isTrue((yield* contentsOf(own.organizationId, added)).equals(bytes))
      const tooLarge = fileOf(own, { bytes: pdfOf(maxFileBytes + 1) })
      assert.strictEqual((yield* Effect.flip(add(tooLarge))).reason, "must have at most 10 MiB")
    })
  )

  it.effect("swapped, changed, moved and missing pieces do not open", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeCase
      const [first, second] = [
        yield* add(fileOf(own, { bytes: pdfOf(3 * pieceBytes) })),
        yield* add(fileOf(own, { bytes: pdfOf(3 * pieceBytes) }))
      ]
      const damages = [
        sql`UPDATE document_pieces SET index = (ARRAY[11, 10])[index + 1] WHERE document_id = ${first.id} AND index < 2`,
        sql`
            UPDATE document_pieces SET bytes = set_byte(bytes, 5000, get_byte(bytes, 5000) # 1)
            WHERE document_id = ${first.id} AND index = 1
          `,
        sql`
            UPDATE document_pieces SET bytes = (
              SELECT bytes FROM document_pieces WHERE document_id = ${second.id} AND index = 0
            )
            WHERE document_id = ${first.id} AND index = 0
          `,
        sql`DELETE FROM document_pieces WHERE document_id = ${first.id} AND index = 2`,
        sql`DELETE FROM document_pieces WHERE document_id = ${first.id}`
      ]
      const opens = Effect.map(Effect.exit(contentsOf(own.organizationId, first)), ({ _tag }) => _tag === "Success")
      assert.isTrue(yield* opens)
      for (const damage of damages) {
        const isOpened = Effect.andThen(damage, opens).pipe(
          Effect.flatMap((opened) => Effect.fail({ opened })),
          sql.withTransaction,
          Effect.flip
        )
        assert.deepStrictEqual(yield* isOpened, { opened: false })
      }
      assert.isTrue(yield* opens)
    })
  )

  it.effect(
    "the same id in another organization is another document, and neither organization reads or changes the other's",
    () =>
      Effect.gen(function* () {
        const own = yield* makeCase
        const other = yield* makeCase
        const added = yield* add(fileOf(own))
        assert.isTrue(Exit.isFailure(yield* Effect.exit(contentsOf(other.organizationId, added))))
        const foreign = fileOf({ organizationId: other.organizationId, caseId: own.caseId })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(add(foreign))))
        assert.strictEqual((yield* add(fileOf(other, { id: added.id, bytes: pdfOf(2000) }))).size, 2000)
        assert.strictEqual((yield* contentsOf(own.organizationId, added)).length, 1000)
      })
  )

  it.effect("one id is one document, also when it is added ten times in parallel", () =>
    Effect.gen(function* () {
      const own = yield* makeCase
      const id = anId()
      const first = fileOf(own, { id, commentId: yield* makeComment(own) })
      const row = yield* add(first)
      const again = yield* Effect.replicateEffect(add(fileOf(own, { id, fileName: "other.pdf" })), 10, parallel)
      for (const repeated of again) assert.deepStrictEqual(repeated, row)
      assert.deepStrictEqual(yield* ofCase(own.organizationId, own.caseId), [row])
      assert.deepStrictEqual(yield* contentsOf(own.organizationId, row), first.bytes)

      const raced = anId()
      const [won] = yield* Effect.replicateEffect(add(fileOf(own, { id: raced })), 10, parallel)
      assert.strictEqual(won && (yield* contentsOf(own.organizationId, won)).length, 1000)
    })
  )

  it.effect("a document is rolled back with its transaction, and deleted with its contents", () =>
    Effect.gen(function* () {
      const documents = yield* Documents
      const sql = yield* SqlClient.SqlClient
      const own = yield* makeCase
      const id = anId()
      yield* add(fileOf(own, { id })).pipe(
        Effect.andThen(Effect.fail("changed our mind")),
        sql.withTransaction,
        Effect.flip
      )
      assert.isTrue(Option.isNone(yield* documents.find(own.organizationId, id)))
      assert.deepStrictEqual(yield* sql`SELECT FROM document_pieces WHERE document_id = ${id}`, [])
      yield* add(fileOf(own, { id }))
      yield* sql`DELETE FROM documents WHERE id = ${id}`
      assert.deepStrictEqual(yield* sql`SELECT FROM document_pieces WHERE document_id = ${id}`, [])
    })
  )

  it.effect("documents of a case are listed in the order of their upload, with clean names and sniffed types", () =>
    Effect.gen(function* () {
      const own = yield* makeCase
      const commentId = yield* makeComment(own)
      const added = [
        yield* add(fileOf(own, { fileName: "C:\\x\\report.pdf", commentId })),
        yield* Effect.andThen(
          TestClock.adjust("1 second"),
          add(fileOf(own, { fileName: "", bytes: Buffer.from("a,b"), declaredType: "text/csv" }))
        )
      ]
      const listed = yield* ofCase(own.organizationId, own.caseId)
      assert.deepStrictEqual(listed, added)
      assert.deepStrictEqual(
        listed.map(({ commentId, contentType, fileName, size }) => ({ commentId, contentType, fileName, size })),
        [
          { commentId, contentType: "application/pdf", fileName: "report.pdf", size: 1000 },
          { commentId: null, contentType: "text/csv", fileName: "document", size: 3 }
        ]
      )
      const contents = yield* Effect.forEach(added, (document) => contentsOf(own.organizationId, document))
      assert.deepStrictEqual(
        contents.map(({ length }) => length),
        [1000, 3]
      )
    })
  )

  it.effect("a file of another type than declared is refused, and the reason quotes nothing of it", () =>
    Effect.gen(function* () {
      const own = yield* makeCase
      const html = fileOf(own, { bytes: Buffer.from("<b>secret</b>"), declaredType: "text/plain" })
      const { reason } = yield* Effect.flip(add(html))
      assert.strictEqual(reason, "files of this type are not accepted")
      assert.deepStrictEqual(yield* ofCase(own.organizationId, own.caseId), [])
    })
  )
})
