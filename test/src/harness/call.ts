import { assert } from "@effect/vitest"
import { Context, Effect } from "effect"
import { assertAcceptable, assertDocumented } from "./assertDocumented.ts"
import { Suite } from "./Suite.ts"

/** What is sent, and with whose credentials. */
export interface CallOptions {
  readonly key?: string
  /** True sends the operator's token. */
  readonly isOperator?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** True when the body has a field that another one wins over: it is not looked at, and need not be as documented. */
  readonly hasUnreadFields?: boolean
  /** Sent as it is. */
  readonly raw?: string
}

/** An answer of the suite. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The body as JSON, or as text when it is a file; undefined when there is none. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies that are checked by the assertions themselves.
  readonly json: any
}

/** Headers that every call has beside its own: none, unless a test says so. */
export const CallHeaders = Context.Reference<Readonly<Record<string, string>>>("@care/test/harness/CallHeaders", {
  defaultValue: () => ({})
})

/**
 * Calls the suite through its gateway. What is answered, and what is accepted, has to be as documented. Who is interrupted
 * hangs up.
 */
export const call = Effect.fnUntraced(function* (method: string, path: string, options: CallOptions = {}) {
  const { secrets, urls } = yield* Suite
  const headers = yield* CallHeaders
  return yield* Effect.promise(async (signal): Promise<Answer> => {
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(`${urls.gateway}${path}`, {
      method,
      signal,
      headers: {
        ...(body !== undefined && { "content-type": "application/json" }),
        ...(options.key !== undefined && { "cv-api-key": options.key }),
        ...(options.isOperator === true && { authorization: `Bearer ${secrets.ADMIN_TOKEN}` }),
        ...headers,
        ...options.headers
      },
      ...(body !== undefined && { body })
    })
    const text = await response.text()
    const type = response.headers.get("content-type")
    const json = text === "" ? undefined : type?.includes("json") ? JSON.parse(text) : text
    assertDocumented(method, path, response.status, type, json)
    if (response.ok && body !== undefined && options.hasUnreadFields !== true) {
      assertAcceptable(method, path, JSON.parse(body))
    }
    return { status: response.status, headers: response.headers, json }
  })
})

/** Asks, and fails unless the answer has this status and this body. */
export const expectAnswer = Effect.fnUntraced(function* <E, R>(
  asked: Effect.Effect<Answer, E, R>,
  status: number,
  body: unknown,
  message?: string
) {
  const answer = yield* asked
  assert.deepStrictEqual([answer.status, answer.json], [status, body], message)
})

/** Calls the admin API. */
export const admin = (method: string, path: string, body?: unknown) =>
  call(method, `/admin/v1${path}`, { isOperator: true, body })
