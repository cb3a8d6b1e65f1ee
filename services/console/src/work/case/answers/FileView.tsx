import type { CaseId } from "@care/domain/ids"
import { useQuery } from "@tanstack/react-query"
import { Failure } from "../../../ui/Failure.tsx"
import { Skeleton } from "../../../ui/Skeleton.tsx"
import { fileQuery, useBlobUrl } from "./useFile.ts"

const pictures: ReadonlyArray<string> = ["image/gif", "image/jpeg", "image/png", "image/webp"]

/** Tells whether a file can be shown in its place. Others, which a browser might run, are only saved. */
export const isShowable = (contentType: string): boolean =>
  contentType === "application/pdf" || pictures.includes(contentType)

interface FileViewProps {
  readonly caseId: CaseId
  readonly id: string
  readonly fileName: string
  readonly contentType: string
}

/** A picture or a PDF, in its place. */
export const FileView = ({ caseId, contentType, fileName, id }: FileViewProps) => {
  const file = useQuery(fileQuery(caseId, id))
  const url = useBlobUrl(file.data, contentType)
  if (file.error !== null) return <Failure error={file.error} onRetry={() => void file.refetch()} />
  if (url === undefined) return <Skeleton lines={5} />
  return contentType === "application/pdf" ? (
    <iframe src={url} title={fileName} className="h-[70vh] w-full rounded-md border border-line bg-white" />
  ) : (
    <img src={url} alt={fileName} className="max-h-[70vh] max-w-full rounded-md border border-line bg-white" />
  )
}
