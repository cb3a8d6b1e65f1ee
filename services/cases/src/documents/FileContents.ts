import { randomUUID } from "node:crypto"
import { DocumentId, type OrganizationId } from "@care/domain/ids"
import { streamedAnswer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { DocumentLinks } from "./DocumentLinks.ts"
import { DocumentStore } from "./DocumentStore.ts"
import type { DocumentRow } from "./DocumentsRepo.ts"
import type { SizedDocument } from "./pieces.ts"
import { base64Length, writeContents } from "./writeContents.ts"

export type FileFormat = "base64" | "url"

/** A link to the contents of a file, or a placeholder that `answer` replaces by the contents in base64. */
export interface ShownContents {
  readonly content?: string
  readonly url?: string
}

/** The limit of file contents in one response, in bytes. Files beyond it are shown as links. */
export const maxInlineBytes = 64 * 1024 * 1024

const inlineFiles = (files: ReadonlyArray<DocumentRow>): ReadonlySet<DocumentRow> => {
  let total = 0
  return new Set(
    files.filter(({ size }) => {
      total += size
      return total <= maxInlineBytes
    })
  )
}

// The mark never leaves the process, so that no caller can write a placeholder.
const mark = randomUUID()
const placeholder = new RegExp(`${mark}/[^/]+/\\d+`)
const placeholders = new RegExp(`${mark}/([^/]+)/(\\d+)`, "g")
const placeholderOf = ({ id, size }: SizedDocument): string => `${mark}/${id}/${size}`

const filesIn = (json: string): ReadonlyArray<SizedDocument> =>
  Array.from(json.matchAll(placeholders), ([, id = "", size]) => ({ id: DocumentId.make(id), size: Number(size) }))

/** Shows the contents of files in answers. */
export class FileContents extends Context.Service<
  FileContents,
  {
    /** Returns links or placeholders by file. A response with placeholders must be made by `answer`. */
    readonly show: (
      files: ReadonlyArray<DocumentRow>,
      format: FileFormat
    ) => Effect.Effect<ReadonlyMap<DocumentId, ShownContents>>
    /** Returns the JSON as a response, with contents instead of placeholders. They are read as fast as the client takes the response. */
    readonly answer: (
      organizationId: OrganizationId,
      json: string
    ) => Effect.Effect<HttpServerResponse.HttpServerResponse, never, HttpServerRequest.HttpServerRequest>
  }
>()("@care/cases/documents/FileContents") {
  static readonly layer = Layer.effect(
    FileContents,
    Effect.gen(function* () {
      const store = yield* DocumentStore
      const links = yield* DocumentLinks

      return FileContents.of({
        show: Effect.fnUntraced(function* (files, format) {
          const contents = new Map<DocumentId, ShownContents>()
          const inline = format === "url" ? new Set() : inlineFiles(files)
          for (const file of files) {
            contents.set(
              file.id,
              inline.has(file) ? { content: placeholderOf(file) } : { url: yield* links.sign(file) }
            )
          }
          return contents
        }),
        answer: Effect.fnUntraced(function* (organizationId, json) {
          const contentType = "application/json"
          const files = json.includes(mark) ? filesIn(json) : []
          if (files.length === 0) return HttpServerResponse.text(json, { contentType })
          const texts = json.split(placeholder)
          const lengths = [
            ...texts.map((text) => Buffer.byteLength(text)),
            ...files.map(({ size }) => base64Length(size))
          ]
          const pieces = yield* store.read(organizationId, files)
          return yield* streamedAnswer(writeContents(texts, pieces), {
            contentType,
            contentLength: lengths.reduce((total, length) => total + length)
          })
        })
      })
    })
  ).pipe(Layer.provide([DocumentLinks.layer, DocumentStore.layerPostgres]))
}
