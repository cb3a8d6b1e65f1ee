import { setTimeout } from "node:timers/promises"
import type { Answer } from "../standIn/Answer.ts"
import type { Received } from "../standIn/Received.ts"
import { inTrouble, type Trouble, type Troubles } from "../standIn/Troubles.ts"
import type { Call } from "./Call.ts"
import { eventTypeRoutes } from "./eventTypes.ts"
import { inviteeRoutes } from "./invitees.ts"
import type { RateLimit } from "./RateLimit.ts"
import { failed, notFound, Refusal } from "./Refusal.ts"
import type { Route } from "./route.ts"
import { scheduledEventRoutes } from "./scheduledEvents.ts"
import { userRoutes } from "./users.ts"
import { subscriptionRoutes } from "./webhookSubscriptions.ts"

/** A request that came. */
export interface ReceivedRequest {
  readonly method: string
  readonly path: string
  /** What its query says. */
  readonly query: Readonly<Record<string, string>>
  /** Its body, of a POST. */
  readonly body: unknown
}

interface Parts {
  readonly limit: RateLimit
  readonly received: Received<ReceivedRequest>
  readonly troubles: Troubles
}

const routes: ReadonlyArray<Route> = [
  ...eventTypeRoutes,
  ...inviteeRoutes,
  ...scheduledEventRoutes,
  ...subscriptionRoutes,
  ...userRoutes
]

// How long a limit that was made up lasts, unless it is said.
const limitedMillis = 60_000

const tooMany = (headers: Readonly<Record<string, string>>): Refusal =>
  new Refusal(429, "Too Many Requests", "There were too many requests.", { headers })

const limitedFor = ({ millis = limitedMillis }: Trouble) => {
  const seconds = String(Math.ceil(millis / 1000))
  return { "retry-after": seconds, "x-ratelimit-remaining": "0", "x-ratelimit-reset": seconds }
}

/** The provider's API, as far as the stand-in has it. */
export class Api {
  private readonly parts: Parts

  constructor(parts: Parts) {
    this.parts = parts
  }

  /** What whoever asked gets: an answer, none, or the end of the connection. */
  async reply(call: () => Call, request: ReceivedRequest, target: string): Promise<Answer | "silence" | "hangUp"> {
    const { limit, received, troubles } = this.parts
    received.add(request)
    const { headers, isOver } = limit.take()
    const trouble = troubles.take(request.method, request.path)
    return inTrouble(trouble, async () => {
      const answer = await this.answered(() => this.run(call(), request, target), trouble, isOver).catch(
        (error: unknown) => (error instanceof Refusal ? error.answer : failed(String(error)).answer)
      )
      return { ...answer, headers: { ...headers, ...answer.headers } }
    })
  }

  private async answered(run: () => Answer, trouble: Trouble | undefined, isOver: boolean) {
    if (isOver) throw tooMany({})
    if (trouble?.does === "rateLimit") throw tooMany(limitedFor(trouble))
    if (trouble?.does === "failBefore") throw failed()
    if (trouble?.does === "delay") await setTimeout(trouble.millis, undefined, { ref: false })
    const answer = run()
    if (trouble?.does === "failAfter") throw failed()
    return answer
  }

  private run(call: Call, { body, method, path, query }: ReceivedRequest, target: string): Answer {
    for (const { method: of, pattern, run } of routes) {
      const match = of === method ? pattern.exec(path) : null
      if (match === null) continue
      const found = {
        ids: match.slice(1).map(decodeURIComponent),
        given: method === "POST" ? body : query,
        path: target
      }
      return call.ledger.transact(() => run(call, found))
    }
    throw notFound()
  }
}
