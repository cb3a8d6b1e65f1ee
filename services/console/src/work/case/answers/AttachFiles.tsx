import type { CaseId } from "@care/domain/ids"
import { Effect } from "effect"
import { useState } from "react"
import { FileTrigger } from "react-aria-components"
import { Button } from "../../../ui/Button.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { filesOf, mistakeInFiles } from "../actions/chosenFiles.ts"
import { backOffice } from "../data/caseClients.ts"
import { useCaseAction } from "../data/useCaseAction.ts"

/** Adds files to a case, one after the other. The server decides which kinds it takes. */
export const AttachFiles = ({ caseId }: { readonly caseId: CaseId }) => {
  const [mistake, setMistake] = useState<string | undefined>(undefined)
  const attach = useCaseAction(
    caseId,
    (files: ReadonlyArray<File>) =>
      Effect.flatMap(
        Effect.promise(() => filesOf(files)),
        (sent) => Effect.forEach(sent, (payload) => backOffice.attach({ params: { caseId }, payload }))
      ),
    "Files added"
  )
  return (
    <>
      <div>
        <FileTrigger
          allowsMultiple
          onSelect={(chosen) => {
            const files = Array.from(chosen ?? [])
            const found = mistakeInFiles(files)
            setMistake(found)
            if (found === undefined && files.length > 0) attach.mutate(files)
          }}
        >
          <Button isSmall isPending={attach.isPending}>
            Add files to the case
          </Button>
        </FileTrigger>
      </div>
      {mistake === undefined ? null : (
        <p role="alert" className="text-bad">
          {mistake}
        </p>
      )}
      {attach.error === null ? null : <Failure error={attach.error} />}
    </>
  )
}
