import { Layer } from "effect"
import { DocumentDownloads } from "./DocumentDownloads.ts"
import { DocumentLinks } from "./DocumentLinks.ts"
import { Documents } from "./Documents.ts"
import { DocumentLinksHandlers } from "./http.ts"

/** The links to files of cases, and the download of files that have a URL. */
export const DocumentsFeature = Layer.merge(
  DocumentLinksHandlers.pipe(Layer.provide(DocumentLinks.layer)),
  DocumentDownloads.layerWorker.pipe(Layer.provide(Documents.layer))
)
