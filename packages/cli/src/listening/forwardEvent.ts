import { Effect } from "effect"
import type { Received, Reply } from "./receiveEvents.ts"

const told = ["content-type", "user-agent", "webhook-id", "webhook-timestamp", "webhook-signature"]

/** Passes an event on as it came, and answers what it is answered with; 502 when nobody answers. */
export const forwardEvent = (url: string, { body, headers }: Received): Effect.Effect<Reply> =>
  Effect.promise(async (signal) => {
    const passed = Object.entries(headers).filter(([name]) => told.includes(name))
    try {
      const response = await fetch(url, { method: "POST", headers: passed, body, redirect: "manual", signal })
      return { status: response.status, body: await response.text() }
    } catch {
      return { status: 502, body: "" }
    }
  })
