import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain"
import { Egress, layerWorker } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { PersistedQueue } from "effect/persistence"
import { Documents } from "./Documents.ts"
import { checkFile, largestFileBytes } from "./receiveFile.ts"

const Job = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  documentId: DocumentId,
  uploadedBy: UserId,
  fileName: Schema.String,
  declaredType: Schema.optional(Schema.String),
  url: Schema.String
})

/**
 * Fetches files that a request named by their URL. The job is committed with what brought the request, and the id of the
 * document is made with it, so that a file is stored once however often its job is tried.
 */
export class DocumentDownloads extends Context.Service<
  DocumentDownloads,
  PersistedQueue.PersistedQueue<typeof Job.Type>
>()("@care/cases/documents/DocumentDownloads") {
  static readonly layer = Layer.effect(
    DocumentDownloads,
    PersistedQueue.make({ name: "document-download", schema: Job, maxAttempts: 10 })
  )

  static readonly layerWorker = Layer.unwrap(
    Effect.gen(function* () {
      const documents = yield* Documents
      const egress = yield* Egress

      const perform = Effect.fnUntraced(function* (job: typeof Job.Type) {
        const { declaredType, documentId, fileName, url, ...rest } = job
        const { bytes } = yield* egress.download(url, largestFileBytes)
        const file = yield* checkFile("file", { fileName, declaredType: declaredType ?? undefined, bytes })
        yield* documents.add({ ...rest, id: documentId, file })
      })

      // What will not be there at another try either is given up at once.
      const givenUp = ({ documentId }: typeof Job.Type, reason: string) =>
        Effect.logWarning(`The file ${documentId} is not stored: ${reason}`)

      return layerWorker({
        name: "document-download",
        queue: yield* DocumentDownloads,
        // A slow server keeps a place for half a minute, so no organization gets them all.
        concurrency: 8,
        perOrganization: 2,
        perform: (job) =>
          perform(job).pipe(
            Effect.catchTags({
              EgressRefused: ({ reason }) => givenUp(job, reason),
              FileRefused: ({ reason }) => givenUp(job, reason),
              EgressFailed: (error) => (error.isRetryable ? Effect.fail(error) : givenUp(job, error.reason))
            })
          )
      })
    })
  )
}
