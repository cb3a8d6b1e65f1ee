import { Layer } from "effect"
import { CasePayments } from "./CasePayments.ts"
import { CasePaymentsHandlers } from "./http.ts"

export const CasePaymentsFeature = CasePaymentsHandlers.pipe(Layer.provide(CasePayments.layer))
