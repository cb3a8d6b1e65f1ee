import { Layer } from "effect"
import { CaseProducts } from "./CaseProducts.ts"
import { CaseProductsHandlers } from "./http.ts"

/** Changes the products of cases. */
export const CaseProductsFeature = CaseProductsHandlers.pipe(Layer.provide(CaseProducts.layer))
