import type { IncomingMessage } from "node:http"
import { staffBearerIn } from "@care/service-kit"

/** The token of a session of staff in a request, and whether a browser sent it by itself. */
export interface SentStaffToken {
  readonly token: string
  readonly isCookie: boolean
}

const valuesOf = (cookies: string, name: string): ReadonlyArray<string> =>
  cookies.split(";").flatMap((pair) => {
    const [key = "", ...value] = pair.trim().split("=")
    return key === name ? [value.join("=")] : []
  })

/**
 * Returns the token of a session of staff in a request, or undefined if it has none. A request with an `Authorization` header has no
 * cookie, whatever the header says. Of several cookies with the name none is the right one.
 */
export const staffTokenOf = (
  { headers: { authorization, cookie = "" } }: Pick<IncomingMessage, "headers">,
  cookieName: string
): SentStaffToken | undefined => {
  if (authorization !== undefined) {
    const token = staffBearerIn(authorization)
    return token === undefined ? undefined : { token, isCookie: false }
  }
  const [token, ...others] = valuesOf(cookie, cookieName)
  if (token === undefined) return undefined
  return { token: others.length === 0 ? token : "", isCookie: true }
}
