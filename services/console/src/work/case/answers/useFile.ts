import type { CaseId } from "@care/domain/ids"
import { DocumentId } from "@care/domain/ids"
import { queryOptions } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { send } from "../../../client/send.ts"
import { caseChart } from "../data/caseClients.ts"

/** The contents of a file of a case. They are forgotten a minute after nobody shows them. */
export const fileQuery = (caseId: CaseId, id: string) =>
  queryOptions({
    queryKey: ["files", caseId, id],
    queryFn: ({ signal }) => send(caseChart.file({ params: { caseId, documentId: DocumentId.make(id) } }), signal),
    staleTime: "static",
    gcTime: 60_000
  })

const urlOf = (bytes: Uint8Array, type: string) => URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type }))

/** Returns a URL of contents for as long as they are shown. */
export const useBlobUrl = (bytes: Uint8Array | undefined, type: string): string | undefined => {
  const [url, setUrl] = useState<string | undefined>(undefined)
  useEffect(() => {
    if (bytes === undefined) return
    const made = urlOf(bytes, type)
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [bytes, type])
  return url
}

/** Has the browser save a file. Its type tells the browser nothing, so that it opens nothing. */
export const saveFile = (bytes: Uint8Array, fileName: string): void => {
  const link = document.createElement("a")
  link.href = urlOf(bytes, "application/octet-stream")
  link.download = fileName
  link.click()
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000)
}
