import MiniSearch, { type SearchResult } from "minisearch"
import { type SearchEntry, searchOptions } from "../searchOptions.ts"

const maxResults = 12

/** Reads the index of the search, and returns the function that finds the places of words. */
export const readSearch = async (address: string): Promise<(words: string) => ReadonlyArray<SearchResult>> => {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`The search index answered ${answer.status}`)
  const index = MiniSearch.loadJSON<SearchEntry>(await answer.text(), searchOptions)
  // What only those who run the suite need comes last.
  const boostDocument = (_id: unknown, _word: string, stored?: Record<string, unknown>) =>
    stored?.["kind"] === "operator" ? 0.3 : 1
  return (words) => index.search(words, { boostDocument }).slice(0, maxResults)
}
