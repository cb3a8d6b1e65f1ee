import type { Attachment, CaseNotFound, FileRefused, NewFile, UserNotInOrganization } from "@care/domain/cases"
import type { CaseId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { Directory } from "../directory/Directory.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { Documents } from "./Documents.ts"
import { receiveFile } from "./receiveFile.ts"

export class Attachments extends Context.Service<
  Attachments,
  {
    readonly add: (
      caseId: CaseId,
      file: NewFile & { readonly uploadedByUserId: UserId }
    ) => Effect.Effect<Attachment, CaseNotFound | UserNotInOrganization | FileRefused>
  }
>()("@care/cases/documents/Attachments") {
  static readonly layer = Layer.effect(
    Attachments,
    Effect.gen(function* () {
      const documents = yield* Documents
      const cases = yield* Cases
      const directory = yield* Directory

      return Attachments.of({
        add: Effect.fn("Attachments.add")(function* (caseId, { uploadedByUserId, ...file }) {
          const organizationId = yield* cases.ownerOf(caseId)
          const uploadedBy = yield* directory.userSummary(organizationId, uploadedByUserId)
          const received = yield* receiveFile("content", file)
          const stored = yield* documents.add({ organizationId, caseId, uploadedBy: uploadedBy.id, file: received })
          return { ...stored, uploadedBy }
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Documents.layer]))
}
