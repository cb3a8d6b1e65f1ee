import type { Attachment, CaseNotFound, FileRefused, NewFile, UserNotInOrganization } from "@care/domain/cases"
import type { CaseId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { Cases } from "../lifecycle/Cases.ts"
import { People } from "../people/People.ts"
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
      const people = yield* People

      return Attachments.of({
        add: Effect.fn("Attachments.add")(function* (caseId, { uploadedByUserId, ...file }) {
          const organizationId = yield* cases.ownerOf(caseId)
          const uploadedBy = yield* people.one(organizationId, uploadedByUserId)
          const received = yield* receiveFile("content", file)
          const stored = yield* documents.add({ organizationId, caseId, uploadedBy: uploadedBy.id, file: received })
          return { ...stored, uploadedBy }
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Documents.layer]))
}
