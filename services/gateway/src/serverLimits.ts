import type { ServerLimits } from "@care/service-kit"
import type { CallerLimits } from "./CallerLimits.ts"

// A head is small: who needs longer for it wants to hold a connection.
const headMillis = 10_000

// The server's own limit is for what nobody receives any more; what is received is answered by then.
const answerMillis = 3000

/** What the server holds callers to before there is a request to answer. */
export const serverLimits = ({
  connections,
  idleMillis,
  requestMillis,
  trustedProxies
}: CallerLimits): ServerLimits => ({
  connections,
  headMillis: Math.min(headMillis, requestMillis),
  requestMillis: requestMillis + Math.min(answerMillis, requestMillis),
  idleMillis,
  trustedProxies
})
