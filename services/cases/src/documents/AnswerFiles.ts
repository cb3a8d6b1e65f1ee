import { randomUUID } from "node:crypto"
import { type CaseId, DocumentId, FileRefused, type OrganizationId, type QuestionType, type UserId } from "@care/domain"
import { Egress } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import { DocumentDownloads } from "./DocumentDownloads.ts"
import { Documents } from "./Documents.ts"
import { isWebAddress } from "./isWebAddress.ts"
import { type ReceivedFile, receiveFile } from "./receiveFile.ts"

const Files = Schema.Array(
  Schema.Struct({
    name: Schema.String,
    data: Schema.String,
    contentType: Schema.optional(Schema.String)
  })
)
const decodeFiles = Schema.decodeUnknownEffect(Files)

/** One file of an answer: received, or to be fetched. */
type AnswerFile = { readonly id: DocumentId; readonly name: string } & (
  | { readonly received: ReceivedFile }
  | { readonly url: string; readonly declaredType: string | undefined }
)

/** Whose files they are. */
export interface FileOwner {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly uploadedBy: UserId
}

/** The files of an answer, checked, and the text that is stored as the answer: their names and ids as JSON. */
export interface PreparedFiles {
  readonly files: ReadonlyArray<AnswerFile>
  readonly answer: string
}

/** True for questions that are answered with files. */
export const takesFiles = (type: string): type is Extract<QuestionType, "FILE" | "WIDGET_USER_ID_DOCUMENT"> =>
  type === "FILE" || type === "WIDGET_USER_ID_DOCUMENT"

/** Files that are answers to questions: checked before anything is stored, stored with the case. */
export class AnswerFiles extends Context.Service<
  AnswerFiles,
  {
    /** Checks the files of an answer that fits its question. `path` is where a refused one was. */
    readonly prepare: (path: string, answer: unknown) => Effect.Effect<PreparedFiles, FileRefused>
    /** Stores prepared files, inside the caller's transaction; those named by a URL are fetched later, by a job. */
    readonly store: (owner: FileOwner, files: ReadonlyArray<AnswerFile>) => Effect.Effect<void>
  }
>()("@care/cases/documents/AnswerFiles") {
  static readonly layer = Layer.effect(
    AnswerFiles,
    Effect.gen(function* () {
      const documents = yield* Documents
      const downloads = yield* DocumentDownloads
      const egress = yield* Egress

      const prepareOne = Effect.fnUntraced(function* (
        path: string,
        { contentType, data, name }: (typeof Files.Type)[number]
      ): Effect.fn.Return<AnswerFile, FileRefused> {
        const id = DocumentId.make(randomUUID())
        if (!isWebAddress(data)) {
          return {
            id,
            name,
            received: yield* receiveFile(`${path}.data`, { fileName: name, contentType, content: data })
          }
        }
        yield* egress
          .check(data)
          .pipe(Effect.mapError(({ reason }) => new FileRefused({ path: `${path}.data`, reason })))
        return { id, name, url: data, declaredType: contentType ?? undefined }
      })

      return AnswerFiles.of({
        prepare: Effect.fn("AnswerFiles.prepare")(function* (path, answer) {
          const given = yield* Effect.orDie(decodeFiles(answer))
          const files = yield* Effect.forEach(given, (file, index) => prepareOne(`${path}.${index}`, file))
          return { files, answer: JSON.stringify(files.map(({ id, name }) => ({ name, documentId: id }))) }
        }),
        store: Effect.fn("AnswerFiles.store")(function* (owner, files) {
          yield* Effect.forEach(
            files,
            (file) =>
              "received" in file
                ? Effect.asVoid(documents.add({ ...owner, id: file.id, file: file.received }))
                : downloads
                    .offer({
                      ...owner,
                      documentId: file.id,
                      fileName: file.name,
                      declaredType: file.declaredType,
                      url: file.url
                    })
                    .pipe(Effect.orDie, Effect.asVoid),
            { discard: true }
          )
        })
      })
    })
  )
}
