import { streamedAnswer } from "@care/service-kit"
import type { OpenedDocument } from "./Documents.ts"

/** Returns the answer with a file. A browser saves it and never shows it. */
export const downloadOf = ({ contents, document }: OpenedDocument) =>
  streamedAnswer(contents, {
    contentType: document.contentType,
    contentLength: document.size,
    headers: { "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(document.fileName)}` }
  })
