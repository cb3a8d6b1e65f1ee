import type { Attachment } from "@care/domain/cases"
import type { CaseId } from "@care/domain/ids"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { useState } from "react"
import { Button } from "../../../ui/Button.tsx"
import { Failure } from "../../../ui/Failure.tsx"
import { FileView, isShowable } from "./FileView.tsx"
import { fileQuery, saveFile } from "./useFile.ts"

type ShownFile = Pick<Attachment, "id" | "fileName" | "contentType" | "size">

const sizes = new Intl.NumberFormat("en", { maximumFractionDigits: 1 })

const sizeInWords = (bytes: number): string =>
  bytes < 1_000_000 ? `${sizes.format(Math.ceil(bytes / 1000))} kB` : `${sizes.format(bytes / 1_000_000)} MB`

/** A file: a picture or a PDF is shown below it, and every file can be saved. */
export const FileRow = ({ caseId, file }: { readonly caseId: CaseId; readonly file: ShownFile }) => {
  const [isShown, setShown] = useState(false)
  const client = useQueryClient()
  const { contentType, fileName, id, size } = file
  const save = useMutation({
    mutationFn: () => client.fetchQuery(fileQuery(caseId, id)),
    onSuccess: (bytes) => saveFile(bytes, fileName)
  })
  return (
    <div className="flex min-w-0 flex-col gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span dir="auto" className="min-w-0 break-words">
          {fileName}
        </span>
        <span className="text-sm text-muted">{sizeInWords(size)}</span>
        {isShowable(contentType) ? (
          <Button
            isSmall
            aria-expanded={isShown}
            aria-label={`${isShown ? "Hide" : "Show"} ${fileName}`}
            onPress={() => setShown(!isShown)}
          >
            {isShown ? "Hide" : "Show"}
          </Button>
        ) : null}
        <Button isSmall aria-label={`Save ${fileName}`} isPending={save.isPending} onPress={() => save.mutate()}>
          Save
        </Button>
      </div>
      {save.error === null ? null : <Failure error={save.error} />}
      {isShown ? <FileView caseId={caseId} contentType={contentType} fileName={fileName} id={id} /> : null}
    </div>
  )
}
