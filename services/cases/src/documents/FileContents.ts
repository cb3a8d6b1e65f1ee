import { randomUUID } from "node:crypto"
import { DocumentId, type OrganizationId } from "@care/domain/ids"
import { streamedAnswer } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import { DocumentLinks } from "./DocumentLinks.ts"
import { DocumentStore } from "./DocumentStore.ts"
import type { DocumentRow } from "./DocumentsRepo.ts"
import { base64Length } from "./encodePiece.ts"
import type { SizedDocument } from "./pieces.ts"
import { writeContents } from "./writeContents.ts"

/** How the contents of files are shown. */
export type FileFormat = "base64" | "url"

/** The contents of a file: a link to them, or a placeholder, for which `answer` writes them in base64. */
export interface ShownContents {
  readonly content?: string
  readonly url?: string
}

/** How many bytes of files one answer holds: 64 MiB. What goes beyond comes as links. */
export const mostInlineBytes = 64 * 1024 * 1024

// The files that fit into one answer together, from the first on.
const fitting = (files: ReadonlyArray<DocumentRow>): ReadonlySet<DocumentRow> => {
  let total = 0
  return new Set(
    files.filter(({ size }) => {
      total += size
      return total <= mostInlineBytes
    })
  )
}

// Placeholders never leave the process, so that nobody else can write one.
const mark = randomUUID()
const placeholder = new RegExp(`${mark}/[^/]+/\\d+`)
const placeholders = new RegExp(`${mark}/([^/]+)/(\\d+)`, "g")
const placeholderOf = ({ id, size }: SizedDocument): string => `${mark}/${id}/${size}`

const filesIn = (json: string): ReadonlyArray<SizedDocument> =>
  Array.from(json.matchAll(placeholders), ([, id = "", size]) => ({ id: DocumentId.make(id), size: Number(size) }))

/** The contents of files as a reader asked for them. */
export class FileContents extends Context.Service<
  FileContents,
  {
    /** By file. Contents in base64 are not read yet: what is shown goes to its reader through `answer`. */
    readonly show: (
      files: ReadonlyArray<DocumentRow>,
      format: FileFormat
    ) => Effect.Effect<ReadonlyMap<DocumentId, ShownContents>>
    /**
     * JSON in which files of the organization are shown, as an answer. Their contents are read while they are written, no
     * faster than the reader takes them.
     */
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
          const shown = new Map<DocumentId, ShownContents>()
          const inline = format === "url" ? new Set() : fitting(files)
          for (const file of files) {
            shown.set(file.id, inline.has(file) ? { content: placeholderOf(file) } : { url: yield* links.sign(file) })
          }
          return shown
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
