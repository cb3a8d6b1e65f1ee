import { randomUUID } from "node:crypto"
import type { ServerResponse } from "node:http"
import { layerAuditedDatabase } from "@care/audit/testing"
import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain/ids"
import { layerQuickJobs } from "@care/jobs/testing"
import { layerTestCipher } from "@care/phi/testing"
import { Egress } from "@care/service-kit"
import { serveListener, until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { DocumentDownloads } from "./DocumentDownloads.ts"
import { Documents, type NewDocument } from "./Documents.ts"

const added: Array<string> = []

/** Replaces the storage of files: it only notes their names. */
const layerNotedDocuments = Layer.mock(Documents, {
  attach: ({ file, id = DocumentId.make(randomUUID()), ...document }: NewDocument) =>
    Effect.sync(() => {
      added.push(file.fileName)
      const { bytes, ...rest } = file
      return { ...document, ...rest, id, commentId: null, size: bytes.length, uploadedAt: new Date(0) }
    })
})

// Every name resolves to this machine, except one that does not resolve.
const layerEgress = Egress.layerWith({
  isProduction: false,
  resolve: (hostname, done) =>
    void setImmediate(() =>
      hostname === "nowhere.example"
        ? done(Object.assign(new Error("not found"), { code: "ENOTFOUND" }))
        : done(null, [{ address: "127.0.0.1", family: 4 }])
    )
})

const pdf = "%PDF-1.7\n"

/** A server that holds the responses to `/slow`, and answers everything else at once. */
const fileServer = Effect.gen(function* () {
  const held: Array<ServerResponse> = []
  const { port } = yield* serveListener((request, response) => {
    if (request.url === "/slow") held.push(response)
    else response.end(pdf)
  })
  return { url: `http://files.example:${port}`, held }
})

const TestLayer = DocumentDownloads.layerWorker.pipe(
  Layer.provideMerge(DocumentDownloads.layer),
  Layer.provide([layerQuickJobs, layerEgress, layerNotedDocuments]),
  Layer.provide(layerTestCipher),
  Layer.provideMerge(layerAuditedDatabase("cases"))
)

layer(TestLayer, { excludeTestServices: true })("DocumentDownloads", (it) => {
  const offer = Effect.fnUntraced(function* (organizationId: OrganizationId, url: string, fileName: string) {
    const downloads = yield* DocumentDownloads
    yield* downloads.offer({
      organizationId,
      caseId: CaseId.make(randomUUID()),
      documentId: DocumentId.make(randomUUID()),
      uploadedBy: UserId.make(randomUUID()),
      fileName,
      url
    })
  })
  const organization = () => OrganizationId.make(randomUUID())

  const untilTrue = (holds: () => boolean) => until(Effect.sync(holds), (isTrue) => isTrue)
  const aWhile = Effect.flatMap(SqlClient.SqlClient, (sql) => Effect.replicateEffect(sql`SELECT 1`, 500))

  it.effect("20 slow files of one organization delay no other organization's, and arrive in the end", () =>
    Effect.gen(function* () {
      added.splice(0)
      const { held, url } = yield* fileServer
      const [slow, other] = [organization(), organization()]
      for (let number = 1; number <= 20; number += 1) yield* offer(slow, `${url}/slow`, `slow ${number}.pdf`)
      yield* untilTrue(() => held.length >= 2)
      yield* aWhile
      yield* offer(other, `${url}/quick`, "quick.pdf")
      yield* untilTrue(() => added.includes("quick.pdf"))
      assert.strictEqual(held.length, 2)
      assert.deepStrictEqual(added, ["quick.pdf"])
      yield* untilTrue(() => {
        for (const response of held) response.end(pdf)
        return added.length === 21
      })
    })
  )

  it.effect("a file whose host does not resolve is tried again later, and the process goes on", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      const { url } = yield* fileServer
      const own = organization()
      yield* offer(own, "http://nowhere.example/a.pdf", "never.pdf")
      const jobs = sql<{ attempts: number }>`SELECT attempts FROM jobs WHERE organization_id = ${own}`
      yield* until(jobs, ([job]) => job !== undefined && job.attempts >= 2)
      yield* offer(own, `${url}/a.pdf`, "after.pdf")
      yield* untilTrue(() => added.includes("after.pdf"))
      assert.notInclude(added, "never.pdf")
    })
  )
})
