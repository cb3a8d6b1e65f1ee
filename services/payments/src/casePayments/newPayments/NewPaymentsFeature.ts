import { Layer } from "effect"
import { SavedMethods } from "../../customers/index.ts"
import { CaseOwners, ProductLookup } from "../../payments/index.ts"
import { NewPaymentsHandlers } from "./http.ts"
import { NewPayments } from "./NewPayments.ts"

/** The further payments of a case. */
export const NewPaymentsFeature = NewPaymentsHandlers.pipe(
  Layer.provide(NewPayments.layer),
  Layer.provide([CaseOwners.layer, ProductLookup.layer, SavedMethods.layer])
)
