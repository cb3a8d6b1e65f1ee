// The cursor of a list of several cells is an object, in base64url.
const ofSeveralCells = /"nextCursor":"(eyJ[\w-]+)"/

const known = new Map<string, string>()

/** Returns a cursor in the form of one cell, which stands for one of several cells. */
const standInFor = (cursor: string): string => {
  const standIn = btoa(JSON.stringify([0, crypto.randomUUID()]))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "")
  known.set(standIn, cursor)
  return standIn
}

/**
 * Wraps `fetch`. The contract of a list is that of a service, which is in one cell. Where the gateway has merged the lists of several cells,
 * this gives the client a stand-in for their cursor, and sends the cursor itself.
 */
export const withCellCursors =
  (send: typeof fetch): typeof fetch =>
  async (input, options) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const cursor = known.get(url.searchParams.get("cursor") ?? "")
    if (cursor !== undefined) url.searchParams.set("cursor", cursor)
    const response = await send(cursor === undefined ? input : url, options)
    if (!response.ok || !(response.headers.get("content-type") ?? "").includes("json")) return response
    const text = await response.clone().text()
    const [, found] = ofSeveralCells.exec(text) ?? []
    return found === undefined ? response : new Response(text.replace(found, standInFor(found)), response)
  }
