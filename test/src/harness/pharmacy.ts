import { Effect } from "effect"
import type { Answer } from "./call.ts"
import { Suite } from "./Suite.ts"

const ask = (method: string, path: string, body?: unknown) =>
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

/** Says how the pharmacy of the sandbox answers the next orders for a pharmacy, one after the other; the last one stays. */
export const answerWith = (pharmacyId: string, ...answers: ReadonlyArray<string>) =>
  ask("PUT", `pharmacies/${pharmacyId}`, { answers })

/** What came of an order at the pharmacy of the sandbox. */
export const atPharmacy = (orderId: string) => ask("GET", `orders/${orderId}`)

/** Has something happen to an order at the pharmacy of the sandbox of which nobody is told. */
export const loseOf = (
  orderId: string,
  data: Readonly<Record<string, unknown>>,
  event: { readonly timestamp?: string } = {}
) => ask("POST", `orders/${orderId}/updates`, { ...event, isLost: true, data })

/** Lets the pharmacy of the sandbox tell of an order: the status that it is answered with. */
export const tellOf = (
  orderId: string,
  data: Readonly<Record<string, unknown>>,
  event: { readonly id?: string; readonly timestamp?: string } = {}
) => Effect.map(ask("POST", `orders/${orderId}/updates`, { ...event, data }), ({ status }): number => status)
