import { errorCodeHeader } from "@care/domain/http"
import { assert } from "@effect/vitest"
import { Context, Effect } from "effect"
import { assertAcceptable, assertDocumented } from "./assertDocumented.ts"
import { Suite } from "./Suite.ts"

/** The body, headers and credentials of a call. */
export interface CallOptions {
  readonly key?: string
  /** True sends the operator's token. */
  readonly isOperator?: boolean
  readonly headers?: Readonly<Record<string, string>>
  /** Sent as JSON. */
  readonly body?: unknown
  /** True if a field of the body is ignored in favour of another one, and need not fit the document. */
  readonly hasUnreadFields?: boolean
  /** Sent unchanged. */
  readonly raw?: string
}

/** A response of the suite. */
export interface Answer {
  readonly status: number
  readonly headers: Headers
  /** The parsed JSON, or the text of a file; undefined without a body. */
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into bodies that are checked by the assertions themselves.
  readonly json: any
}

/** Additional headers of every call; none by default. */
export const CallHeaders = Context.Reference<Readonly<Record<string, string>>>("@care/test/harness/CallHeaders", {
  defaultValue: () => ({})
})

/**
 * Calls the suite through its gateway. Fails if the response, or the body of an accepted request, does not fit the public document, or an
 * error has no code. An interruption closes the connection.
 */
export const call = Effect.fnUntraced(function* (method: string, path: string, options: CallOptions = {}) {
  const { secrets, urls } = yield* Suite
  const headers = yield* CallHeaders
  return yield* Effect.promise(async (signal): Promise<Answer> => {
    const body = options.raw ?? (options.body === undefined ? undefined : JSON.stringify(options.body))
    const response = await fetch(`${urls.gateway}${path}`, {
      method,
      signal,
      redirect: "manual",
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
    if (response.status >= 400) {
      assert.match(response.headers.get(errorCodeHeader) ?? "", /^[A-Z][A-Z0-9_]+$/, `${method} ${path} ${text}`)
    }
    if (response.ok && body !== undefined && options.hasUnreadFields !== true) {
      assertAcceptable(method, path, JSON.parse(body))
    }
    return { status: response.status, headers: response.headers, json }
  })
})

/** Fails unless the response to a request has this status and this body. */
export const expectAnswer = Effect.fnUntraced(function* <E, R>(
  request: Effect.Effect<Answer, E, R>,
  status: number,
  body: unknown,
  message?: string
) {
  const answer = yield* request
  assert.deepStrictEqual([answer.status, answer.json], [status, body], message)
})

/** Calls the admin API. */
export const admin = (method: string, path: string, body?: unknown) =>
  call(method, `/admin/v1${path}`, { isOperator: true, body })
