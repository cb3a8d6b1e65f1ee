import { layerReconciliation } from "@care/service"
import { Effect, Layer } from "effect"
import { OrderChanges } from "../OrderChanges.ts"
import { Orders } from "../Orders.ts"
import { Pharmacy } from "../pharmacy/Pharmacy.ts"
import { makeOrdersSource } from "./ordersSource.ts"

/** Compares orders with the pharmacy, every hour and when an operator asks. */
export const ReconciliationFeature = layerReconciliation("cases", Effect.all([makeOrdersSource])).pipe(
  Layer.provide([OrderChanges.layer, Orders.layer, Pharmacy.layer])
)
