import { Effect } from "effect"
import type { Answer } from "./call.ts"
import { Suite } from "./Suite.ts"

const control = (method: string, path: string, body?: unknown) =>
  Effect.flatMap(Suite, ({ pharmacyUrl, secrets }) =>
    Effect.promise(async (signal): Promise<Answer["json"]> => {
      const answer = await fetch(`${pharmacyUrl}/control/${path}`, {
        method,
        signal,
        headers: { authorization: `Bearer ${secrets.PHARMACY_API_TOKEN}` },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      return await answer.json()
    })
  )

/** Sets how the pharmacy stand-in answers the next orders for a pharmacy, one after the other. The last answer stays. */
export const setPharmacyAnswers = (pharmacyId: string, ...answers: ReadonlyArray<string>) =>
  control("PUT", `pharmacies/${pharmacyId}`, { answers })

/** Returns what the pharmacy stand-in has of an order: the accepted order, and the bodies it received. */
export const pharmacyOrder = (orderId: string) => control("GET", `orders/${orderId}`)

/** Changes an order at the pharmacy stand-in without sending a callback. */
export const changeOrderSilently = (
  orderId: string,
  data: Readonly<Record<string, unknown>>,
  event: { readonly timestamp?: string } = {}
) => control("POST", `orders/${orderId}/updates`, { ...event, isLost: true, data })

/** Makes the pharmacy stand-in change an order and send a callback. Returns the status of the callback's response. */
export const sendOrderUpdate = (
  orderId: string,
  data: Readonly<Record<string, unknown>>,
  event: { readonly id?: string; readonly timestamp?: string } = {}
) => Effect.map(control("POST", `orders/${orderId}/updates`, { ...event, data }), ({ status }): number => status)
