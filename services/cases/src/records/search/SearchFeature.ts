import { Layer } from "effect"
import { CaseSearch } from "./CaseSearch.ts"
import { SearchHandlers } from "./http.ts"

/** The search of cases for operators. */
export const SearchFeature = SearchHandlers.pipe(Layer.provide(CaseSearch.layer))
