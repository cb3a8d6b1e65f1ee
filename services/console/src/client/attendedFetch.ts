import { unattendedHeader } from "@care/domain/admin"
import { noteClock } from "./clock.ts"
import { modeHeaders } from "./mode.ts"

// What the person does is counted, and how much of it requests have told the server. To open the page is the first.
let done = 1
let told = 0
let answeredAt = 0
let usedAt = 0

/** Notes that the person does something, so that the next request is a use of the session. */
export const noteUse = (): void => {
  done += 1
}

/** Returns when the server last accepted a request, and when it last counted one as a use of the session. */
export const lastAnswers = (): { readonly answeredAt: number; readonly usedAt: number } => ({ answeredAt, usedAt })

/** Sends a request. It says so if the person did nothing since another one was answered: then a timer made it. */
export const attendedFetch: typeof fetch = async (input, options) => {
  const doneNow = done
  const isUse = doneNow > told
  const headers = new Headers(options?.headers)
  for (const [name, value] of Object.entries(modeHeaders())) headers.set(name, value)
  if (!isUse) headers.set(unattendedHeader, "true")
  const response = await fetch(input, { ...options, headers })
  noteClock(response)
  if (!response.ok) return response
  answeredAt = Date.now()
  if (isUse) {
    told = Math.max(told, doneNow)
    usedAt = answeredAt
  }
  return response
}
