import { Effect } from "effect"

type Json = Readonly<Record<string, unknown>>

/** Makes a client of the admin API with the operator's token. Throws unless the response is a success. */
export const makeAdmin = (gatewayUrl: string, token: string) => {
  const call = (method: string, path: string, body?: unknown) =>
    Effect.promise(async (): Promise<Json> => {
      const response = await fetch(`${gatewayUrl}/admin/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
        ...(body !== undefined && { body: JSON.stringify(body) })
      })
      const text = await response.text()
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`)
      return text === "" ? {} : JSON.parse(text)
    })
  return {
    call,
    /** Creates a resource, and returns its id. */
    create: (path: string, body: unknown) => Effect.map(call("POST", path, body), ({ id }) => String(id))
  }
}
