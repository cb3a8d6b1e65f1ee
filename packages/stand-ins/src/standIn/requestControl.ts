import { Effect } from "effect"
import type { DeliveryMode, EventDelivery } from "./EventDeliveries.ts"
import type { Trouble } from "./Troubles.ts"

/** Requests an operation of `/control`. A refusal is a defect. */
export const requestControl =
  (url: string, token: string) =>
  <A = unknown>(method: string, path: string, body?: unknown): Effect.Effect<A> =>
    Effect.promise(async () => {
      const answer = await fetch(`${url}/control/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await answer.text()
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${text}`)
      return JSON.parse(text)
    })

/** The operations that every stand-in with events has. */
export const sharedControls = <Request>(request: ReturnType<typeof requestControl>) => ({
  /** Makes requests to come fail. */
  addTrouble: (trouble: Trouble) => request("POST", "troubles", trouble),
  /** Ends all troubles. */
  clearTroubles: request("DELETE", "troubles"),
  /** Returns the requests that came, the oldest first. */
  requests: request<ReadonlyArray<Request>>("GET", "requests"),
  forgetRequests: request("DELETE", "requests"),
  /** Sets how events are delivered from now on: by default at once, once, and in order. */
  setDeliveryMode: (mode: DeliveryMode) => request("PUT", "deliveries", mode),
  /** Returns the deliveries that wait, in the order of their events. */
  pendingDeliveries: request<ReadonlyArray<EventDelivery>>("GET", "deliveries"),
  /** Delivers these events now, in this order, delivered or held, and returns the statuses of the answers. */
  sendEvents: (events: ReadonlyArray<string>) =>
    Effect.map(
      request<{ readonly statuses: ReadonlyArray<number> }>("POST", "deliveries", { events }),
      ({ statuses }) => statuses
    )
})
