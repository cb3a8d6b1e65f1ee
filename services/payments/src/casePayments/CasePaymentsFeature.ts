import { Layer } from "effect"
import { SavedMethods } from "../customers/index.ts"
import { CasePayments } from "./CasePayments.ts"
import { CasePaymentsHandlers } from "./http.ts"
import { layerPreparationChecks } from "./layerPreparationChecks.ts"
import { PreparationCheck } from "./PreparationCheck.ts"

/** The payments that cases begin with, and the clean-up of payments whose cases were never stored. */
export const CasePaymentsFeature = Layer.mergeAll(CasePaymentsHandlers, layerPreparationChecks).pipe(
  Layer.provide([CasePayments.layer, PreparationCheck.layer, SavedMethods.layer])
)
