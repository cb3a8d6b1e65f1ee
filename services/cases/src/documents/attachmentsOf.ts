import type { UserSummary } from "@care/domain/auth"
import type { Attachment } from "@care/domain/cases"
import type { DocumentId, UserId } from "@care/domain/ids"
import type { DocumentRow } from "./DocumentsRepo.ts"
import type { ShownContents } from "./FileContents.ts"

/** Returns files as responses show them, with their uploaders and their contents, if `contents` has them. */
export const attachmentsOf = (
  files: ReadonlyArray<DocumentRow>,
  person: (id: UserId) => UserSummary,
  contents: ReadonlyMap<DocumentId, ShownContents>
): ReadonlyArray<Attachment> =>
  files.map(({ contentType, fileName, id, size, uploadedAt, uploadedBy }) => ({
    id,
    fileName,
    contentType,
    size,
    uploadedAt,
    ...contents.get(id),
    uploadedBy: person(uploadedBy)
  }))
