import { Layer } from "effect"
import { DocumentDownloads } from "./DocumentDownloads.ts"
import { DocumentLinks } from "./DocumentLinks.ts"
import { Documents } from "./Documents.ts"
import { DocumentLinksHandlers } from "./http.ts"

/** The files of cases: links to them, and those that are fetched. */
export const DocumentsFeature = Layer.merge(
  DocumentLinksHandlers.pipe(Layer.provide(DocumentLinks.layer)),
  DocumentDownloads.layerWorker.pipe(Layer.provide(Documents.layer))
)
