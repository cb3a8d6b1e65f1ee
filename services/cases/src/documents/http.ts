import { CasesApi } from "@care/domain/cases"
import { streamedAnswer } from "@care/service-kit"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { DocumentLinks } from "./DocumentLinks.ts"

/** Serves files for download. A browser saves them and never shows them. */
export const DocumentLinksHandlers = HttpApiBuilder.group(
  CasesApi,
  "documentLinks",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* DocumentLinks
    return handlers.handleAll({
      download: Effect.fnUntraced(function* ({ params, query }) {
        const { contents, document } = yield* links.open({ ...query, documentId: params.documentId })
        return yield* streamedAnswer(contents, {
          contentType: document.contentType,
          contentLength: document.size,
          headers: {
            "content-disposition": `attachment; filename*=UTF-8''${encodeURIComponent(document.fileName)}`
          }
        })
      })
    })
  })
)
