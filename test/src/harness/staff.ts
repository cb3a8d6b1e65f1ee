import { SoftAuthenticator } from "@care/auth/testing"
import { Effect } from "effect"
import { type Answer, type CallOptions, call } from "./call.ts"
import { Suite } from "./Suite.ts"
import { codeSentTo, codesSentTo } from "./signIn.ts"

/** The cookie of a session, as a browser sends it. */
export type Cookie = string | undefined

/** Returns the cookie that an answer sets. */
export const cookieOf = ({ headers }: Answer): string => headers.get("set-cookie")?.split(";", 1)[0] ?? ""

/** Calls the admin API as a page of the console that has a cookie, or as a program without one. */
export const asStaff = Effect.fnUntraced(function* (
  method: string,
  path: string,
  cookie: Cookie,
  options: CallOptions = {}
) {
  const { urls } = yield* Suite
  const ofPage = cookie === undefined ? {} : { cookie, origin: urls.gateway, "sec-fetch-site": "same-origin" }
  return yield* call(method, `/admin/v1${path}`, { ...options, headers: { ...ofPage, ...options.headers } })
})

/** Signs a member of staff in with a code, and returns the answer. */
export const signInStaff = Effect.fnUntraced(function* (email: string) {
  const known = yield* codesSentTo(email)
  yield* asStaff("POST", "/session/code", undefined, { body: { email } })
  const code = yield* codeSentTo(email, known)
  return yield* asStaff("POST", "/session", undefined, { body: { email, code } })
})

/** Makes an authenticator for the console of the suite. */
export const makeAuthenticator = Effect.map(Suite, ({ urls }) => new SoftAuthenticator(new URL(urls.gateway).origin))

/** Enrols a passkey, and returns the answer with the authenticator. */
export const enrolPasskey = Effect.fnUntraced(function* (cookie: Cookie) {
  const authenticator = yield* makeAuthenticator
  const options = (yield* asStaff("POST", "/session/passkeys/registration", cookie)).json
  const body = { name: "Laptop", credential: authenticator.create(options) }
  return { authenticator, answer: yield* asStaff("POST", "/session/passkeys", cookie, { body }) }
})

/** Signs in, or steps a session up, with a passkey. The cell is needed where there is no session, and is by default the first. */
export const usePasskey = Effect.fnUntraced(function* (authenticator: SoftAuthenticator, cookie?: Cookie, cell = "c1") {
  const options = (yield* asStaff("POST", `/session/passkeys/assertion?cell=${cell}`, cookie)).json
  return yield* asStaff("POST", `/session/passkeys/assert?cell=${cell}`, cookie, { body: authenticator.use(options) })
})
