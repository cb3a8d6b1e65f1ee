import { setImmediate } from "node:timers/promises"
import { connection, rawRequest } from "@care/service-kit/testing"
import { type Duration, Effect } from "effect"
import { TestClock } from "effect/testing"

export interface Answer {
  readonly status: number
  readonly headers: Headers
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies that are checked by the assertions themselves.
  readonly json: any
}

/** Sends a request and reads the answer. */
export const ask = (
  url: string,
  { key, ...init }: RequestInit & { readonly key?: string; readonly duplex?: "half" } = {}
): Effect.Effect<Answer> =>
  Effect.promise(async () => {
    const response = await fetch(url, {
      ...init,
      headers: { ...(key !== undefined && { "cv-api-key": key }), ...init.headers }
    })
    const text = await response.text()
    return { status: response.status, headers: response.headers, json: text === "" ? undefined : JSON.parse(text) }
  })

/**
 * Sends more requests together than may wait for a slot, when `REQUESTS_AT_ONCE` is 1 and one is in progress. Returns the first that is
 * refused, without its wait of two seconds.
 */
export const firstRefused = <A extends { readonly status: number }, E, R>(request: Effect.Effect<A, E, R>) =>
  Effect.raceAll(
    Array.from({ length: 6 }, () =>
      Effect.filterOrFail(
        request,
        ({ status }) => status === 429,
        () => "accepted"
      )
    )
  )

/** Returns the head of a request that announces a body and closes the connection. */
export const head = (path: string, length: number, headers: ReadonlyArray<string> = []): string =>
  rawRequest("POST", path, [`content-length: ${length}`, ...headers])

/** Sends a text over a new connection, and leaves it open. */
export const begin = (url: string, text: string) =>
  Effect.tap(connection(url), (socket) => Effect.sync(() => socket.write(text)))

/** Parses a raw answer. */
export const parse = (text: string) => {
  const [top = "", body = ""] = text.split("\r\n\r\n")
  return { status: Number(top.split(" ")[1]), head: top, json: body.startsWith("{") ? JSON.parse(body) : undefined }
}

/** Adjusts the clock until an effect is done, because the test cannot know when a request began to wait. */
export const whileTimePasses = <A, E, R>(waiting: Effect.Effect<A, E, R>, step: Duration.Input = "31 seconds") =>
  Effect.raceFirst(
    waiting,
    Effect.forever(
      Effect.andThen(
        TestClock.adjust(step),
        Effect.promise(() => setImmediate())
      )
    )
  )
