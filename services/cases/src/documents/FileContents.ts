import type { DocumentId, OrganizationId } from "@care/domain"
import { Context, Effect, Layer } from "effect"
import { DocumentLinks } from "./DocumentLinks.ts"
import { Documents } from "./Documents.ts"
import type { DocumentRow } from "./DocumentsRepo.ts"

/** How the contents of files are shown, if they are. */
export type FileFormat = "none" | "base64" | "url"

/** The contents of a file: in base64, or a link to them. */
export interface ShownContents {
  readonly content?: string
  readonly url?: string
}

/** How many bytes of files one answer holds: 64 MiB. What goes beyond comes as links. */
export const mostInlineBytes = 64 * 1024 * 1024

// The files that fit into one answer together, from the first on.
const fitting = (files: ReadonlyArray<DocumentRow>): ReadonlyArray<DocumentRow> => {
  let total = 0
  return files.filter(({ size }) => {
    total += size
    return total <= mostInlineBytes
  })
}

/** The contents of files as a reader asked for them. */
export class FileContents extends Context.Service<
  FileContents,
  {
    /** By file. At most one SQL statement, however many files there are. */
    readonly show: (
      organizationId: OrganizationId,
      files: ReadonlyArray<DocumentRow>,
      format: FileFormat
    ) => Effect.Effect<ReadonlyMap<DocumentId, ShownContents>>
  }
>()("@care/cases/documents/FileContents") {
  static readonly layer = Layer.effect(
    FileContents,
    Effect.gen(function* () {
      const documents = yield* Documents
      const links = yield* DocumentLinks

      const show = Effect.fn("FileContents.show")(function* (
        organizationId: OrganizationId,
        files: ReadonlyArray<DocumentRow>,
        format: FileFormat
      ) {
        const shown = new Map<DocumentId, ShownContents>()
        if (format === "none") return shown
        const inline = format === "url" ? [] : fitting(files).map(({ id }) => id)
        const contents = inline.length === 0 ? new Map() : yield* documents.contents(organizationId, inline)
        for (const file of files) {
          const bytes = contents.get(file.id)
          shown.set(
            file.id,
            bytes === undefined ? { url: yield* links.sign(file) } : { content: bytes.toString("base64") }
          )
        }
        return shown
      })

      return FileContents.of({ show })
    })
  )
}
