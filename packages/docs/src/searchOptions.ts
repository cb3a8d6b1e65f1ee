/** What the search finds: a section of a page, or an operation of a reference. */
export interface SearchEntry {
  readonly id: string
  readonly kind: "guide" | "operation" | "event" | "operator"
  readonly title: string
  /** The page of a section, or the method and path of an operation. */
  readonly place: string
  readonly text: string
}

/** How the search of the site looks for words: the same when its index is built and when it is read. */
export const searchOptions = {
  fields: ["title", "place", "text"],
  storeFields: ["kind", "title", "place"],
  // The words of a path, and those of a name such as webhookEndpoints or CASE_CLOSED.
  tokenize: (text: string) =>
    text
      .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
      .split(/[^\p{L}\p{N}]+/u)
      .filter((word) => word !== ""),
  searchOptions: { boost: { title: 4, place: 2 }, prefix: true, fuzzy: 0.15, combineWith: "AND" as const }
}
