import type { ServerLimits } from "@care/service-kit"
import type { CallerLimits } from "./CallerLimits.ts"

// A head is small: it needs no longer than this.
const headMillis = 10_000

// The gateway's own time limit ends before the server's, so that the answer can be written.
const answerMillis = 3000

/** Returns the limits that the HTTP server applies before there is a request. */
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
