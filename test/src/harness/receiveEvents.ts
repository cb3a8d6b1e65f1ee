import { text } from "node:stream/consumers"
import { serveListener } from "@care/service-kit/testing"
import { Effect } from "effect"
import { until } from "./until.ts"

/** An event as it was received. */
export interface ReceivedEvent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** A receiver of events: its URL, what it was sent so far, and how it answers from now on. */
export const receiveEvents = Effect.gen(function* () {
  const received: Array<ReceivedEvent> = []
  const answer = { status: 204 }
  const { url } = yield* serveListener(async (request, response) => {
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    received.push({ headers, body: await text(request) })
    response.writeHead(answer.status).end()
  })
  /** Waits until it was sent so many. */
  const arrived = (count: number) =>
    until(
      Effect.sync(() => received.length),
      (length) => length >= count
    )
  return { url, received, answer, arrived }
})
