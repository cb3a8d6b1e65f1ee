import { Layer } from "effect"
import { Bundles } from "../bundles/Bundles.ts"
import { CatalogueCopiesHandlers } from "../copies/http.ts"
import { Forms } from "../forms/Forms.ts"
import { Products } from "../products/Products.ts"
import { CatalogueHandlers } from "./http.ts"

/** The catalogues of organizations, as operators fill them, and their copies in sandboxes. */
export const CatalogueFeature = Layer.merge(
  CatalogueHandlers.pipe(Layer.provide([Bundles.layer, Forms.layer, Products.layer])),
  CatalogueCopiesHandlers
)
