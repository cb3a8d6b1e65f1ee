import { CasesApi } from "@care/domain/cases"
import { Effect } from "effect"
import * as HttpApiBuilder from "effect/http-api/HttpApiBuilder"
import { DocumentLinks } from "./DocumentLinks.ts"
import { downloadOf } from "./downloadOf.ts"

/** Serves files for download. */
export const DocumentLinksHandlers = HttpApiBuilder.group(
  CasesApi,
  "documentLinks",
  Effect.fnUntraced(function* (handlers) {
    const links = yield* DocumentLinks
    return handlers.handleAll({
      download: ({ params, query }) =>
        Effect.flatMap(links.open({ ...query, documentId: params.documentId }), downloadOf)
    })
  })
)
