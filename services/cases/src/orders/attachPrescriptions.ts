import type { CaseId, OrganizationId, UserId } from "@care/domain/ids"
import { Egress } from "@care/service-kit"
import { Data, Effect, Option } from "effect"
import { checkFile, Documents, largestFileBytes } from "../documents/index.ts"
import type { PrescriptionFile } from "./orderContents.ts"

/** A prescription cannot be had. `reason` says of which item, and quotes nothing of its URL. */
export class PrescriptionFailed extends Data.TaggedError("PrescriptionFailed")<{
  readonly reason: string
  readonly isRetryable: boolean
}> {
  override get message() {
    return this.reason
  }
}

/** Whose files they are. */
interface Target {
  readonly organizationId: OrganizationId
  readonly caseId: CaseId
  readonly uploadedBy: UserId
}

// However many files there are, and however slow: others wait for the place. What is stored by then stays.
const longest = "1 minute"

/** Makes the function that fetches the prescriptions of an order as files of its case, each until it is stored. */
export const makeAttachPrescriptions = Effect.gen(function* () {
  const documents = yield* Documents
  const egress = yield* Egress

  const attach = Effect.fnUntraced(
    function* (target: Target, { id, item, url }: PrescriptionFile) {
      if (Option.isSome(yield* documents.find(target.organizationId, id))) return
      const { bytes } = yield* egress.download(url, largestFileBytes)
      const file = yield* checkFile("file", {
        fileName: `prescription-${item + 1}`,
        declaredType: undefined,
        bytes
      })
      yield* documents.attach({ ...target, id, file })
    },
    (attached, _target, { item }) =>
      Effect.mapError(
        attached,
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
        duration: longest,
        orElse: () => new PrescriptionFailed({ reason: "The documents take too long", isRetryable: true })
      })
    )
})
