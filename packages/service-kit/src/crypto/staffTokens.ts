import type { IncomingHttpHeaders } from "node:http"

/** The name of the cookie of a session of staff. A browser accepts the first one over HTTPS only, and from no other host. */
export const staffCookieName = (isSecure: boolean): string => (isSecure ? "__Host-care_staff" : "care_staff")

/** Returns the value of a cookie in the header `cookie`. */
export const cookieIn = (cookies: string | undefined, name: string): string | undefined => {
  for (const cookie of (cookies ?? "").split(";")) {
    const [key = "", value] = cookie.trim().split("=", 2)
    if (key === name) return value
  }
  return undefined
}

/** Returns the token of a session of staff in the header `authorization`. */
export const staffBearerIn = (authorization: string | undefined): string | undefined =>
  /^bearer (cs_\S+)$/i.exec(authorization ?? "")?.[1]

/** Returns what may be tokens of a session of staff, in both cookies and as bearer token. */
export const staffTokensIn = ({ authorization, cookie }: IncomingHttpHeaders): ReadonlyArray<string> =>
  [
    staffBearerIn(authorization),
    cookieIn(cookie, staffCookieName(true)),
    cookieIn(cookie, staffCookieName(false))
  ].filter((token) => token !== undefined)
