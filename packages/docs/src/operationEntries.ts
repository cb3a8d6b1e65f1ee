import type { ApiReference } from "./pages.ts"
import type { SearchEntry } from "./searchOptions.ts"

interface Operation {
  readonly tags?: ReadonlyArray<string>
  readonly summary?: string
  readonly description?: string
}

/** What the site reads of an OpenAPI document. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
  readonly webhooks?: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

const slugOf = (text: string) =>
  text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")

const firstSentence = (text: string) => /^[\s\S]*?\.(?=\s|$)/.exec(text)?.[0] ?? text

/** Returns the operations and the webhooks of a document for the search, with their places in the reference. */
export const operationEntries = (document: ApiDocument, { path: page }: ApiReference): ReadonlyArray<SearchEntry> => {
  const isAdmin = page.startsWith("operators/")
  const entriesOf = (items: ApiDocument["paths"], kind: SearchEntry["kind"], anchor: string) =>
    Object.entries(items).flatMap(([path, item]) =>
      Object.entries(item).map(([method, { description = "", summary = path, tags: [tag = ""] = [] }]): SearchEntry => {
        const verb = method.toUpperCase()
        return {
          id: `/docs/${page}#tag/${slugOf(tag)}/${anchor}${verb}${path.startsWith("/") ? "" : "/"}${path}`,
          kind: isAdmin ? "operator" : kind,
          title: summary,
          place: kind === "event" ? path : `${verb} ${path}`,
          text: `${tag} ${firstSentence(description)}`
        }
      })
    )
  return [...entriesOf(document.paths, "operation", ""), ...entriesOf(document.webhooks ?? {}, "event", "webhook/")]
}
