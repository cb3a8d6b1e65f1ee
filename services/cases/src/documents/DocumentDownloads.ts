import { CaseId, DocumentId, OrganizationId, UserId } from "@care/domain/ids"
import { Job } from "@care/jobs"
import { Egress } from "@care/service-kit"
import { Effect, Schema } from "effect"
import { Documents } from "./Documents.ts"
import { checkFile, maxFileBytes } from "./receiveFile.ts"

const Download = Schema.Struct({
  organizationId: OrganizationId,
  caseId: CaseId,
  documentId: DocumentId,
  uploadedBy: UserId,
  fileName: Schema.String,
  declaredType: Schema.optional(Schema.String),
  url: Schema.String
})

/**
 * Downloads files that a request named by their URL. The job is committed with the rest of the request. It carries the id of the document,
 * so that repeated attempts store the file once.
 */
export class DocumentDownloads extends Job.make<DocumentDownloads>()("document-download", {
  version: 1,
  schema: Download,
  retries: Job.upTo(10),
  // A slow server occupies a slot for half a minute, so no organization gets all slots.
  concurrency: 8,
  perOrganization: 2,
  isCountedExactly: true
}) {
  static readonly layerWorker = DocumentDownloads.worker(
    Effect.gen(function* () {
      const documents = yield* Documents
      const egress = yield* Egress

      const download = Effect.fnUntraced(function* (job: typeof Download.Type) {
        const { caseId, declaredType, documentId, fileName, organizationId, uploadedBy, url } = job
        const { bytes } = yield* egress.download(url, maxFileBytes)
        const file = yield* checkFile("file", { fileName, declaredType, bytes })
        yield* documents.attach({ organizationId, caseId, uploadedBy, id: documentId, file })
      })

      // Another attempt would fail as well.
      const giveUp = ({ documentId }: typeof Download.Type, reason: string) =>
        Effect.logWarning(`The file ${documentId} is not stored: ${reason}`)

      return (job) =>
        download(job).pipe(
          Effect.catchTags({
            EgressRefused: ({ reason }) => giveUp(job, reason),
            FileRefused: ({ reason }) => giveUp(job, reason),
            EgressFailed: (error) => (error.isRetryable ? Effect.fail(error) : giveUp(job, error.reason))
          })
        )
    })
  )
}
