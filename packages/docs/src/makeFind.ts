import MiniSearch, { type SearchResult } from "minisearch"
import { type SearchEntry, searchOptions } from "./searchOptions.ts"

const maxResults = 12

// With fewer results, those follow that have only some of the words.
const few = 3

// Words of a question that say nothing about its subject.
const fillers = new Set(
  "a an and are be can do does for how i if in is it me my of on or the to what when with".split(" ")
)

/** What else the pages may call a thing that readers search for. */
const synonyms: Readonly<Record<string, ReadonlyArray<string>>> = {
  cancellation: ["cancel"],
  delete: ["erase", "remove"],
  duplicate: ["twice"],
  duplicates: ["twice"],
  gdpr: ["erase", "export"],
  hipaa: ["health"],
  live: ["production"],
  localhost: ["machine"],
  login: ["sign"],
  missed: ["missing"],
  pagination: ["pages", "cursor"],
  paging: ["pages", "cursor"],
  retries: ["repeat"],
  retry: ["repeat"],
  sdk: ["client"],
  subscription: ["endpoint"],
  token: ["key"],
  track: ["status"],
  tracking: ["status"],
  upload: ["file", "files", "document"],
  verification: ["verify"]
}

// What only those who run the suite need comes last.
const operatorBoost = 0.2

// A title that is typed as it is, such as the code of an error, comes first.
const titleBoost = 5

/** Reads the index of the search. The result finds the places of words, the best first. */
export const makeFind = (index: string): ((words: string) => ReadonlyArray<SearchResult>) => {
  const search = MiniSearch.loadJSON<SearchEntry>(index, searchOptions)
  return (words) => {
    const title = words.trim().toLowerCase()
    const terms = searchOptions.tokenize(words.toLowerCase()).filter((term) => !fillers.has(term))
    const queries = terms.map((term) => ({ combineWith: "OR" as const, queries: [term, ...(synonyms[term] ?? [])] }))
    const boostDocument = (_id: unknown, _word: string, stored?: Record<string, unknown>) => {
      if (stored?.["kind"] === "operator") return operatorBoost
      return String(stored?.["title"]).toLowerCase() === title ? titleBoost : 1
    }
    const find = (combineWith: "AND" | "OR") => search.search({ combineWith, queries }, { boostDocument })
    const found = find("AND")
    if (found.length >= few) return found.slice(0, maxResults)
    const ids = new Set(found.map(({ id }) => id))
    return [...found, ...find("OR").filter(({ id }) => !ids.has(id))].slice(0, maxResults)
  }
}
