import { Layer } from "effect"
import { Bundles } from "../bundles/Bundles.ts"
import { Forms } from "../forms/Forms.ts"
import { Products } from "../products/Products.ts"
import { CatalogueHandlers } from "./http.ts"

/** The catalogues of organizations, as operators fill them. */
export const CatalogueFeature = CatalogueHandlers.pipe(Layer.provide([Bundles.layer, Forms.layer, Products.layer]))
