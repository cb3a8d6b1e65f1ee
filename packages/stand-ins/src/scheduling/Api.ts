import { setTimeout } from "node:timers/promises"
import type { StandInAnswer } from "../standIn/serveStandIn.ts"
import type { Trouble } from "../standIn/Troubles.ts"
import type { Call } from "./Call.ts"
import { eventTypeRoutes } from "./eventTypes.ts"
import { inviteeRoutes } from "./invitees.ts"
import { failed, notFound, Refusal } from "./Refusal.ts"
import type { Route } from "./route.ts"
import { scheduledEventRoutes } from "./scheduledEvents.ts"
import { userRoutes } from "./users.ts"
import { subscriptionRoutes } from "./webhookSubscriptions.ts"

/** A request that came. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  readonly query: Readonly<Record<string, string>>
  readonly body: unknown
}

const routes: ReadonlyArray<Route> = [
  ...eventTypeRoutes,
  ...inviteeRoutes,
  ...scheduledEventRoutes,
  ...subscriptionRoutes,
  ...userRoutes
]

const limitedMillis = 60_000

const tooMany = (headers: Readonly<Record<string, string>>): Refusal =>
  new Refusal(429, "Too Many Requests", "There were too many requests.", { headers })

const limitedFor = ({ millis = limitedMillis }: Trouble) => {
  const seconds = String(Math.ceil(millis / 1000))
  return { "retry-after": seconds, "x-ratelimit-remaining": "0", "x-ratelimit-reset": seconds }
}

const perform = (call: Call, { body, method, path, query }: ReceivedRequest, target: string): StandInAnswer => {
  for (const { method: routeMethod, pattern, run } of routes) {
    const match = routeMethod === method ? pattern.exec(path) : null
    if (match === null) continue
    const ids = match.slice(1).map(decodeURIComponent)
    return call.ledger.transact(() => run(call, { ids, params: method === "POST" ? body : query, path: target }))
  }
  throw notFound()
}

/** Answers a request of the provider's API. `target` is its path with the query. */
export const answerApi = async (
  callNow: () => Call,
  request: ReceivedRequest,
  target: string,
  { isOver, trouble }: { readonly isOver: boolean; readonly trouble: Trouble | undefined }
): Promise<StandInAnswer> => {
  if (isOver) throw tooMany({})
  if (trouble?.does === "rateLimit") throw tooMany(limitedFor(trouble))
  if (trouble?.does === "failBefore") throw failed()
  if (trouble?.does === "delay") await setTimeout(trouble.millis, undefined, { ref: false })
  const answer = perform(callNow(), request, target)
  if (trouble?.does === "failAfter") throw failed()
  return answer
}
