import { Layer } from "effect"
import { CaseSearch } from "./CaseSearch.ts"
import { SearchHandlers } from "./http.ts"

/** The operator's search of cases. */
export const SearchFeature = SearchHandlers.pipe(Layer.provide(CaseSearch.layer))
