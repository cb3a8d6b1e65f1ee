import { Layer } from "effect"
import { CaseOwners } from "../caseOwners/CaseOwners.ts"
import { Products } from "../products/Products.ts"
import { SavedMethods } from "../savedMethods/SavedMethods.ts"
import { NewPaymentsHandlers } from "./http.ts"
import { NewPayments } from "./NewPayments.ts"

/** Payments of a case beside the one that it began with. */
export const NewPaymentsFeature = NewPaymentsHandlers.pipe(
  Layer.provide(NewPayments.layer),
  Layer.provide([CaseOwners.layer, Products.layer, SavedMethods.layer])
)
