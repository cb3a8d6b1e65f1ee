import { randomUUID } from "node:crypto"
import { FileRefused, type QuestionType } from "@care/domain/cases"
import { lengths, nonBlankUpTo, requestInvalid, textUpTo } from "@care/domain/http"
import { type CaseId, DocumentId, type OrganizationId, type UserId } from "@care/domain/ids"
import { Egress, Quotas, requireRoom } from "@care/service-kit"
import { Context, Effect, Layer, Schema } from "effect"
import {
  Base64Invalid,
  checkFile,
  DocumentDownloads,
  Documents,
  decodeBase64,
  type ReceivedFile
} from "../../documents/index.ts"
import { filesExpected } from "./answerRules.ts"

const Files = Schema.Array(
  Schema.Struct({
    name: nonBlankUpTo(lengths.wording),
    data: Schema.String,
    contentType: Schema.optional(textUpTo(lengths.line))
  })
)
type RequestFile = (typeof Files.Type)[number]
const decodeFiles = Schema.decodeUnknownEffect(Schema.toCodecJson(Files))

const maxUrlLength = 8000

const isWebAddress = (data: string): boolean =>
  data.length <= maxUrlLength && /^https?:\/\//i.test(data) && URL.canParse(data)

/** A file of an answer, which was received, or will be downloaded. */
type AnswerFile = { readonly id: DocumentId; readonly name: string } & (
  | { readonly received: ReceivedFile }
  | { readonly url: string; readonly declaredType: string | undefined }
)

interface FileOwner {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly uploadedBy: UserId
}

/** The checked files of an answer. The text of the answer is their names and ids as JSON. */
export interface PreparedFiles {
  readonly files: ReadonlyArray<AnswerFile>
  readonly answer: string
}

export const takesFiles = (type: string): type is Extract<QuestionType, "FILE" | "WIDGET_USER_ID_DOCUMENT"> =>
  type === "FILE" || type === "WIDGET_USER_ID_DOCUMENT"

/** The files of answers. They are checked before anything is stored, and stored with the case. */
export class AnswerFiles extends Context.Service<
  AnswerFiles,
  {
    /** Checks the files of an answer. `path` is the place of the answer in the body. */
    readonly prepare: (path: string, answer: unknown) => Effect.Effect<PreparedFiles, FileRefused>
    /** Dies with `QuotaReached` when there are files, but no room for them. Call it before anything is stored. */
    readonly requireRoom: (organizationId: OrganizationId, files: ReadonlyArray<AnswerFile>) => Effect.Effect<void>
    /** Stores prepared files in the caller's transaction. Jobs download those that have a URL. */
    readonly store: (owner: FileOwner, files: ReadonlyArray<AnswerFile>) => Effect.Effect<void>
  }
>()("@care/cases/documents/AnswerFiles") {
  static readonly layer = Layer.effect(
    AnswerFiles,
    Effect.gen(function* () {
      const documents = yield* Documents
      const downloads = yield* DocumentDownloads
      const egress = yield* Egress
      const quotas = yield* Quotas

      const checkReceived = Effect.fnUntraced(function* (path: string, { contentType, data, name }: RequestFile) {
        const bytes = yield* decodeBase64(data)
        if (bytes.length === 0) return yield* new Base64Invalid({ reason: "must not be empty" })
        return yield* checkFile(`${path}.data`, { fileName: name, declaredType: contentType, bytes })
      })

      const prepareFile = Effect.fnUntraced(function* (
        path: string,
        file: RequestFile
      ): Effect.fn.Return<AnswerFile, FileRefused | Base64Invalid> {
        const id = DocumentId.make(randomUUID())
        const { contentType, data, name } = file
        if (!isWebAddress(data)) return { id, name, received: yield* checkReceived(path, file) }
        yield* egress
          .check(data)
          .pipe(Effect.mapError(({ reason }) => new FileRefused({ path: `${path}.data`, reason })))
        return { id, name, url: data, declaredType: contentType }
      })

      return AnswerFiles.of({
        prepare: Effect.fn("AnswerFiles.prepare")(function* (path, answer) {
          const decoded = yield* decodeFiles(answer).pipe(
            Effect.mapError((error) => {
              const { path: innerPath, reason } = requestInvalid("payload", error)
              return new FileRefused({ path: `${path}.${innerPath}`, reason })
            })
          )
          const files = yield* Effect.forEach(decoded, (file, index) => prepareFile(`${path}.${index}`, file)).pipe(
            Effect.catchTag("Base64Invalid", () => new FileRefused({ path, reason: filesExpected }))
          )
          return { files, answer: JSON.stringify(files.map(({ id, name }) => ({ name, documentId: id }))) }
        }),
        requireRoom: (organizationId, files) =>
          files.length === 0 ? Effect.void : requireRoom(quotas, organizationId, "DOCUMENTS"),
        store: Effect.fn("AnswerFiles.store")(function* (owner, files) {
          yield* Effect.forEach(
            files,
            (file) =>
              "received" in file
                ? Effect.asVoid(documents.add({ ...owner, id: file.id, file: file.received }))
                : downloads.offer({
                    ...owner,
                    documentId: file.id,
                    fileName: file.name,
                    declaredType: file.declaredType,
                    url: file.url
                  }),
            { discard: true }
          )
        })
      })
    })
  ).pipe(Layer.provide([Documents.layer, DocumentDownloads.layer]))
}
