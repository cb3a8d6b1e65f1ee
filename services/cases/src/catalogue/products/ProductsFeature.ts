import { Layer } from "effect"
import { ProductLookupHandlers, ProductsHandlers } from "./http.ts"
import { Products } from "./Products.ts"

/** The products of organizations, as their partners and payments read them. */
export const ProductsFeature = Layer.merge(ProductsHandlers, ProductLookupHandlers).pipe(Layer.provide(Products.layer))
