import { Effect } from "effect"
import type { Delivery, Telling } from "./Deliveries.ts"
import type { Trouble } from "./Troubles.ts"

/** Asks a stand-in for something under `/control`. Fails as a defect with what was refused. */
export const askControl =
  (url: string, token: string) =>
  <A = unknown>(method: string, path: string, body?: unknown): Effect.Effect<A> =>
    Effect.promise(async () => {
      const answer = await fetch(`${url}/control/${path}`, {
        method,
        headers: { authorization: `Bearer ${token}` },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const said = await answer.text()
      if (answer.status !== 200) throw new Error(`${method} ${path}: ${answer.status} ${said}`)
      return JSON.parse(said)
    })

/** What tests ask of every stand-in: what goes wrong, which requests came, and when events are told. */
export const sharedQuestions = <Request>(ask: ReturnType<typeof askControl>) => ({
  /** Makes something go wrong with requests to come. */
  addTrouble: (trouble: Trouble) => ask("POST", "troubles", trouble),
  /** Nothing goes wrong any more. */
  clearTroubles: ask("DELETE", "troubles"),
  /** The requests that came, the first one first. */
  requests: ask<ReadonlyArray<Request>>("GET", "requests"),
  forgetRequests: ask("DELETE", "requests"),
  /** Says how events are told from now on; nothing said is as always: at once, once, in order. */
  tellEvents: (telling: typeof Telling.Type) => ask("PUT", "deliveries", telling),
  /** The events that wait to be told, in the order in which they happened. */
  waitingEvents: ask<ReadonlyArray<Delivery>>("GET", "deliveries"),
  /** Tells of these events now, in this order, also again and also while others are held: the status of each answer. */
  sendEvents: (events: ReadonlyArray<string>) =>
    Effect.map(
      ask<{ readonly statuses: ReadonlyArray<number> }>("POST", "deliveries", { events }),
      ({ statuses }) => statuses
    )
})
