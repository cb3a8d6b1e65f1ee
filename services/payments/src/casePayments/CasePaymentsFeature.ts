import { Layer } from "effect"
import { CasePayments } from "./CasePayments.ts"
import { CasePaymentsHandlers } from "./http.ts"

/** The payments of cases. */
export const CasePaymentsFeature = CasePaymentsHandlers.pipe(Layer.provide(CasePayments.layer))
