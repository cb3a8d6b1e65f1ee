import { layerReconciliation, onTestAccount } from "@care/service"
import { Effect, Layer } from "effect"
import { OrderChanges } from "../OrderChanges.ts"
import { Orders } from "../Orders.ts"
import { Pharmacy } from "../pharmacy/Pharmacy.ts"
import { makeOrdersSource } from "./ordersSource.ts"

const makeSources = Effect.gen(function* () {
  const source = yield* makeOrdersSource
  const { hasTestAccount } = yield* Pharmacy
  return hasTestAccount ? [source, onTestAccount(source)] : [source]
})

/** Compares orders with the pharmacy, every hour and when an operator asks. */
export const ReconciliationFeature = layerReconciliation("cases", makeSources).pipe(
  Layer.provide([OrderChanges.layer, Orders.layer, Pharmacy.layer])
)
