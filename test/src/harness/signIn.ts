import { Effect } from "effect"
import { admin, call } from "./call.ts"
import { until } from "./until.ts"

const auth = "/api/v1/users/auth"

/** Requests a sign-in code. */
export const sendCode = (key: string, body: unknown) => call("POST", `${auth}/send-otp`, { key, body })

/** Exchanges a code for tokens. */
export const verifyCode = (key: string, body: unknown) => call("POST", `${auth}/verify-otp`, { key, body })

/** Exchanges a refresh token for new tokens. */
export const refresh = (key: string, token: unknown) =>
  call("POST", `${auth}/refresh-token`, { key, body: { refresh_token: token } })

/** Ends a sign-in. */
export const signOut = (key: string, token: unknown) =>
  call("POST", `${auth}/logout`, { key, body: { refresh_token: token } })

interface Message {
  readonly channel: string
  readonly to: string
  readonly subject: string | null
  readonly text: string
}

/** Returns the messages in the development mailbox for a receiver, newest first. */
export const messagesTo = (receiver: string) =>
  Effect.map(
    admin("GET", `/messages?to=${encodeURIComponent(receiver)}`),
    ({ json }): ReadonlyArray<Message> => json.data
  )

const codeIn = ({ text }: Message) => /\b\d{6}\b/.exec(text)?.[0]

/** Returns the messages that contain a code. */
export const codeMessagesTo = (receiver: string) =>
  Effect.map(messagesTo(receiver), (messages) => messages.filter((message) => codeIn(message) !== undefined))

/** Returns the codes that were sent to a receiver, newest first. */
export const codesSentTo = (receiver: string) =>
  Effect.map(messagesTo(receiver), (messages) => messages.flatMap((message) => codeIn(message) ?? []))

// Each known code once, the oldest first: a new code may be equal to an earlier one.
const newestBut = (known: ReadonlyArray<string>, codes: ReadonlyArray<string>): string => {
  const left = [...codes]
  for (const code of known) {
    const oldest = left.lastIndexOf(code)
    if (oldest >= 0) left.splice(oldest, 1)
  }
  return left[0] ?? ""
}

/** Waits for a code to a receiver beside those in `known`, and returns it. */
export const codeSentTo = (receiver: string, known: ReadonlyArray<string> = []) =>
  until(
    Effect.map(codesSentTo(receiver), (codes) => newestBut(known, codes)),
    (code) => code !== ""
  )

/** Signs a patient in by email, and returns the body with the tokens. */
export const signIn = Effect.fnUntraced(function* (key: string, email: string) {
  const known = yield* codesSentTo(email)
  yield* sendCode(key, { email })
  const answer = yield* verifyCode(key, { email, code: yield* codeSentTo(email, known) })
  return answer.json
})
