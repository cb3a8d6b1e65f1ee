import type { UserSummary } from "@care/domain/auth"
import type { Attachment } from "@care/domain/cases"
import type { DocumentId, UserId } from "@care/domain/ids"
import type { DocumentRow } from "./DocumentsRepo.ts"
import type { ShownContents } from "./FileContents.ts"

/** Files as they are shown: with who uploaded them, and their contents where those are wanted. */
export const attachmentsOf = (
  files: ReadonlyArray<DocumentRow>,
  person: (id: UserId) => UserSummary,
  contents: ReadonlyMap<DocumentId, ShownContents>
): ReadonlyArray<Attachment> =>
  files.map(({ uploadedBy, ...file }) => ({ ...file, ...contents.get(file.id), uploadedBy: person(uploadedBy) }))
