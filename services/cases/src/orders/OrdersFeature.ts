import { Layer } from "effect"
import { Activity, Cases } from "../case/index.ts"
import { Documents } from "../documents/index.ts"
import { OrdersHandlers } from "./http.ts"
import { NewOrders } from "./NewOrders.ts"
import { OrderChanges } from "./OrderChanges.ts"
import { OrderHandOver } from "./OrderHandOver.ts"
import { Orders } from "./Orders.ts"
import { OrdersInError } from "./OrdersInError.ts"
import { layerPharmacySignature } from "./pharmacy/layerPharmacySignature.ts"
import { Pharmacy } from "./pharmacy/Pharmacy.ts"

/** Medication orders: accepting them, changing them, and handing them over to the pharmacy. */
export const OrdersFeature = Layer.merge(
  OrdersHandlers.pipe(
    Layer.provide([NewOrders.layer, OrderChanges.layer, OrdersInError.layer, layerPharmacySignature])
  ),
  OrderHandOver.layerWorker.pipe(
    Layer.provide([Activity.layer, Cases.layer, Documents.layer, Orders.layer, Pharmacy.layer])
  )
)
