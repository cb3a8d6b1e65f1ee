import { randomUUID } from "node:crypto"
import { text } from "node:stream/consumers"
import { serveListener } from "@care/service-kit/testing"
import { Effect } from "effect"
import { until } from "./until.ts"

/** A received event. */
export interface ReceivedEvent {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Runs a receiver of events until the scope closes. Returns its URL, the events received so far, and the response that it gives. */
export const receiveEvents = Effect.gen(function* () {
  const received: Array<ReceivedEvent> = []
  const answer = { status: 204 }
  const path = `/${randomUUID().slice(0, 8)}`
  const { url } = yield* serveListener(async (request, response) => {
    // Its port may be that of an earlier receiver, whose events are still tried.
    if (request.url?.startsWith(path) !== true) {
      response.writeHead(404).end()
      return
    }
    const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
    received.push({ headers, body: await text(request) })
    response.writeHead(answer.status).end()
  })
  /** Waits until it has received a number of events. */
  const arrived = (count: number) =>
    until(
      Effect.sync(() => received.length),
      (length) => length >= count
    )
  return { url: `${url}${path}`, received, answer, arrived }
})
