/** Does what is measured. */
export type Timed = () => Promise<unknown>

type Json = Readonly<Record<string, unknown>>

/** Sends requests as somebody, when they are told to; any answer but a success throws. */
export interface Caller {
  readonly get: (path: string) => () => Promise<Json>
  readonly post: (path: string, body: unknown) => () => Promise<Json>
  readonly patch: (path: string, body: unknown) => () => Promise<Json>
  readonly delete: (path: string) => () => Promise<Json>
  /** The same caller, who says something more. */
  readonly with: (more: Readonly<Record<string, string>>) => Caller
}

/** The request id of the answer that came last. */
export const lastAnswer = { requestId: "" }

export const makeCaller = (gatewayUrl: string, headers: Readonly<Record<string, string>>): Caller => {
  const send = (method: string, path: string, body?: unknown) => async (): Promise<Json> => {
    const response = await fetch(`${gatewayUrl}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    lastAnswer.requestId = response.headers.get("x-request-id") ?? ""
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
    return response.headers.get("content-type")?.startsWith("application/json") ? JSON.parse(text) : {}
  }
  return {
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body),
    patch: (path, body) => send("PATCH", path, body),
    delete: (path) => send("DELETE", path),
    with: (more) => makeCaller(gatewayUrl, { ...headers, ...more })
  }
}
