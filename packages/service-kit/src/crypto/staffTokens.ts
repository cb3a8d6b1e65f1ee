import { unattendedHeader } from "@care/domain/http"

/** The name of the cookie of a session of staff. A browser accepts the first one over HTTPS only, and from no other host. */
export const staffCookieName = (isSecure: boolean): string => (isSecure ? "__Host-care_staff" : "care_staff")

/** The token of a session of staff in a request, and whether a browser sent it by itself. */
export interface SentStaffToken {
  readonly token: string
  readonly isCookie: boolean
}

interface Headers {
  readonly [name: string]: string | ReadonlyArray<string> | undefined
}

const textIn = (headers: Headers, name: string): string | undefined => {
  const value = headers[name]
  return typeof value === "string" ? value : undefined
}

const valuesOf = (cookies: string, name: string): ReadonlyArray<string> =>
  cookies.split(";").flatMap((pair) => {
    const [key = "", ...value] = pair.trim().split("=")
    return key === name ? [value.join("=")] : []
  })

/**
 * Returns the token of a session of staff in the headers of a request, or undefined if they have none. A request with an `Authorization`
 * header has no cookie, whatever the header says. Of several cookies with the name none is the right one.
 */
export const staffTokenOf = (headers: Headers, cookieName: string): SentStaffToken | undefined => {
  const authorization = textIn(headers, "authorization")
  if (authorization !== undefined) {
    const token = /^bearer (cs_\S+)$/i.exec(authorization)?.[1]
    return token === undefined ? undefined : { token, isCookie: false }
  }
  const [token, ...others] = valuesOf(textIn(headers, "cookie") ?? "", cookieName)
  if (token === undefined) return undefined
  return { token: others.length === 0 ? token : "", isCookie: true }
}

/** Returns whether nobody at a screen has asked for a request, which is therefore no use of its session. */
export const isUnattended = ({ headers }: { readonly headers: Headers }): boolean =>
  headers[unattendedHeader] !== undefined

const safeMethods: ReadonlyArray<string | undefined> = ["GET", "HEAD"]

/**
 * Returns whether a page of another site may have sent a request that changes something. Browsers send `Origin` with each, and over HTTPS
 * and to localhost `Sec-Fetch-Site` as well. A request without both is one of a program, which has no cookie.
 */
export const isCrossSite = (
  { headers, method }: { readonly headers: Headers; readonly method?: string | undefined },
  origin: string,
  sent: SentStaffToken | undefined
): boolean => {
  if (safeMethods.includes(method) || sent?.isCookie === false) return false
  const sender = textIn(headers, "origin")
  const site = textIn(headers, "sec-fetch-site") ?? "same-origin"
  return site !== "same-origin" || (sender === undefined ? sent !== undefined : sender !== origin)
}
