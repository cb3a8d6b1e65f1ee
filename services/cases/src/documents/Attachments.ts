import {
  type Attachment,
  type CaseNotFound,
  type FileRefused,
  type NewFile,
  UserNotInOrganization
} from "@care/domain/cases"
import type { CaseId, UserId } from "@care/domain/ids"
import { Context, Effect, Layer } from "effect"
import { Directory } from "../directory/Directory.ts"
import { Cases } from "../lifecycle/Cases.ts"
import { Documents } from "./Documents.ts"
import { receiveFile } from "./receiveFile.ts"

/** A file that the back office adds to a case. */
export type NewAttachment = NewFile & { readonly uploadedByUserId: UserId }

/** Files that are added to cases. */
export class Attachments extends Context.Service<
  Attachments,
  {
    readonly add: (
      caseId: CaseId,
      file: NewAttachment
    ) => Effect.Effect<Attachment, CaseNotFound | UserNotInOrganization | FileRefused>
  }
>()("@care/cases/documents/Attachments") {
  static readonly layer = Layer.effect(
    Attachments,
    Effect.gen(function* () {
      const documents = yield* Documents
      const cases = yield* Cases
      const directory = yield* Directory

      const add = Effect.fn("Attachments.add")(function* (
        caseId: CaseId,
        { uploadedByUserId, ...file }: NewAttachment
      ) {
        const organizationId = yield* cases.ownerOf(caseId)
        const uploadedBy = (yield* directory.userSummaries(organizationId, [uploadedByUserId])).get(uploadedByUserId)
        if (uploadedBy === undefined) return yield* new UserNotInOrganization({ userId: uploadedByUserId })
        const received = yield* receiveFile("content", file)
        const { contentType, fileName, id, size, uploadedAt } = yield* documents.add({
          organizationId,
          caseId,
          uploadedBy: uploadedBy.id,
          file: received
        })
        return { id, fileName, contentType, size, uploadedAt, uploadedBy }
      })

      return Attachments.of({ add })
    })
  ).pipe(Layer.provide([Cases.layer, Documents.layer]))
}
