import { focusManager } from "@tanstack/react-query"
import { lastAnswers } from "../client/attendedFetch.ts"
import { queryClient } from "../client/queryClient.ts"
import { send } from "../client/send.ts"
import { sessionEnded } from "../client/sessionEnded.ts"
import { cover, reveal, stayCovered } from "./cover.ts"
import { raisingKey, sessionQuery, staffSession } from "./session.ts"

// The clock is looked at often, because a computer that slept runs no timers. The server is asked if nothing else was, more seldom while
// the person is away.
const tickMillis = 5_000
const hereMillis = 10_000
const awayMillis = 60_000
const answerMillis = 5_000

const knownSession = () => queryClient.getQueryData(sessionQuery.queryKey)

const endOf = ({ expiresAt, idleSeconds }: { readonly expiresAt: Date; readonly idleSeconds: number }) =>
  Math.min(expiresAt.getTime(), lastAnswers().usedAt + idleSeconds * 1000)

/**
 * Asks whether the session goes on, and shows the page again. It leads to the sign-in if the session has ended, is another person's, or must
 * have ended by now and the server does not answer.
 */
const checkSession = async (): Promise<void> => {
  const known = knownSession()
  if (known === undefined) return reveal()
  const session = await send(staffSession.whoAmI(), AbortSignal.timeout(answerMillis)).catch(() => undefined)
  if (session !== undefined && session.user.id === known.user.id) {
    queryClient.setQueryData(sessionQuery.queryKey, session)
    reveal()
  } else if (session !== undefined || endOf(known) <= Date.now()) sessionEnded("EXPIRED")
  else stayCovered()
}

/** Notices that the session has ended though nobody uses the page. */
export const watchSession = (): void => {
  let isAsking = false
  setInterval(async () => {
    const known = knownSession()
    // A session in whose place another one is put has not ended for the person.
    if (known === undefined || isAsking || queryClient.isMutating({ mutationKey: raisingKey }) > 0) return
    const now = Date.now()
    const { answeredAt } = lastAnswers()
    const end = endOf(known)
    const checkMillis = focusManager.isFocused() ? hereMillis : awayMillis
    if (now - answeredAt < checkMillis && (now < end || answeredAt >= end)) return
    isAsking = true
    await checkSession()
    isAsking = false
  }, tickMillis)
}

/** Covers the page of a person who comes back, until the session has proved to go on. */
export const comeBack = (): void => {
  if (Date.now() - lastAnswers().answeredAt < tickMillis) {
    reveal()
  } else {
    cover()
    void checkSession()
  }
}
