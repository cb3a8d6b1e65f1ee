import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Egress } from "@care/service-kit"
import { Data, Effect, Option } from "effect"
import { checkFile, Documents, maxFileBytes } from "../documents/index.ts"
import type { PrescriptionFile } from "./orderContents.ts"

/** The file of a prescription could not be stored. `reason` names the item, and quotes nothing of its URL. */
export class PrescriptionFailed extends Data.TaggedError("PrescriptionFailed")<{
  readonly reason: string
  readonly isRetryable: boolean
}> {
  override get message() {
    return this.reason
  }
}

/** The case of the files, and who uploads them. */
interface Target {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly uploadedBy: UserId
}

// For all files together, because other jobs wait for the slot. Files that are stored by then stay.
const maxDuration = "1 minute"

/** Makes the function that downloads the prescriptions of an order into files of its case. It skips those that are stored. */
export const makeAttachPrescriptions = Effect.gen(function* () {
  const documents = yield* Documents
  const egress = yield* Egress

  const attach = Effect.fnUntraced(
    function* (target: Target, { id, item, url }: PrescriptionFile) {
      if (Option.isSome(yield* documents.find(target.organizationId, id))) return
      const { bytes } = yield* egress.download(url, maxFileBytes)
      const file = yield* checkFile("file", {
        fileName: `prescription-${item + 1}`,
        declaredType: undefined,
        bytes
      })
      yield* documents.attach({ ...target, id, file })
    },
    (attachment, _target, { item }) =>
      Effect.mapError(
        attachment,
        (error) =>
          new PrescriptionFailed({
            reason: `The document of prescription item ${item + 1} is not stored: ${error.reason}`,
            isRetryable: error._tag === "EgressFailed" && error.isRetryable
          })
      )
  )

  return (target: Target, files: ReadonlyArray<PrescriptionFile>): Effect.Effect<void, PrescriptionFailed> =>
    Effect.forEach(files, (file) => attach(target, file), { discard: true }).pipe(
      Effect.timeoutOrElse({
        duration: maxDuration,
        orElse: () => new PrescriptionFailed({ reason: "The documents take too long", isRetryable: true })
      })
    )
})
