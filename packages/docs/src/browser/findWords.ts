import type { SearchResult } from "minisearch"
import { makeFind } from "../makeFind.ts"

/** Reads the index of the search, and returns the function that finds the places of words. */
export const readSearch = async (address: string): Promise<(words: string) => ReadonlyArray<SearchResult>> => {
  const answer = await fetch(address)
  if (!answer.ok) throw new Error(`The search index answered ${answer.status}`)
  return makeFind(await answer.text())
}
