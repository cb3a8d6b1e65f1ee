import type { Attachment, CaseNotFound, FileRefused, NewFile, UserNotInOrganization } from "@care/domain/cases"
import type { RequestInvalid, StaffRefused } from "@care/domain/http"
import type { CaseId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { Cases, inOwnName, type NewestOfCase, People, personIn } from "../case/index.ts"
import { attachmentsOf } from "./attachmentsOf.ts"
import { Documents } from "./Documents.ts"
import { FileContents } from "./FileContents.ts"
import { receiveFile } from "./receiveFile.ts"

/** The files of cases, except those of comments. */
export class Attachments extends Context.Service<
  Attachments,
  {
    readonly add: (
      caseId: CaseId,
      file: NewFile & { readonly uploadedByUserId?: UserId | undefined }
    ) => Effect.Effect<Attachment, CaseNotFound | UserNotInOrganization | FileRefused | RequestInvalid | StaffRefused>
    /** Returns files with links to their contents. */
    readonly newest: NewestOfCase<Attachment>
  }
>()("@care/cases/documents/Attachments") {
  static readonly layer = Layer.effect(
    Attachments,
    Effect.gen(function* () {
      const documents = yield* Documents
      const cases = yield* Cases
      const people = yield* People
      const fileContents = yield* FileContents

      return Attachments.of({
        add: Effect.fn("Attachments.add")(function* (caseId, { uploadedByUserId, ...file }) {
          const organizationId = yield* cases.organizationOf(caseId)
          const uploadedBy = yield* people.summary(
            organizationId,
            yield* inOwnName("uploadedByUserId", uploadedByUserId)
          )
          const received = yield* receiveFile("content", file)
          const stored = yield* documents.attach({ organizationId, caseId, uploadedBy: uploadedBy.id, file: received })
          return { ...stored, uploadedBy }
        }),
        newest: Effect.fn("Attachments.newest")(function* (...page) {
          const files = yield* documents.newest(...page)
          const uploaders = files.map(({ uploadedBy }) => uploadedBy)
          const person = personIn(yield* people.summaries(page[0], uploaders))
          return attachmentsOf(files, person, yield* fileContents.show(files, "url"))
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Documents.layer, FileContents.layer]))
}
