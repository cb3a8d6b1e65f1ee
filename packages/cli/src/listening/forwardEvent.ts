import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { isPlainUrl } from "../gateway.ts"
import type { ListenerReply, ReceivedDelivery } from "./startListener.ts"

const forwardedHeaders = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"]

/** The suite's own timeout for a delivery. */
const longestMillis = 15_000

/** Refuses a URL that cannot be called, before any event arrives. */
export const checkForwardTo = Effect.fnUntraced(function* (text: string) {
  if (!isPlainUrl(text)) {
    return yield* new CommandFailed({
      message:
        "--forward-to must be an http or https URL without credentials, such as http://localhost:3000/care-events."
    })
  }
})

/** Forwards an event unchanged, and returns the answer, or undefined without one in time. */
export const forwardEvent = (
  url: string,
  { body, headers }: ReceivedDelivery
): Effect.Effect<ListenerReply | undefined> =>
  Effect.promise(async () => {
    const passed = Object.entries(headers).filter(([name]) => forwardedHeaders.includes(name))
    const signal = AbortSignal.timeout(longestMillis)
    try {
      const response = await fetch(url, { method: "POST", headers: passed, body, redirect: "manual", signal })
      return { status: response.status, body: await response.text(), retryAfter: response.headers.get("retry-after") }
    } catch {
      return undefined
    }
  })
