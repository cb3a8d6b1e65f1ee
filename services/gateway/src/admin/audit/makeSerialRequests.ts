import { AuditBusy } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { memoizeByOrganization } from "@care/service-kit"
import { Effect, Semaphore } from "effect"

/** How long a request waits for those before it, and the `retry-after` of its refusal, in seconds. */
const longestWait = "2 seconds"
const retryAfter = 1

/** Makes the function that runs an organization's requests one at a time. A request that waits too long is refused. */
export const makeSerialRequests = () => {
  const turnOf = memoizeByOrganization(() => Semaphore.makeUnsafe(1))
  return <A, E, R>(
    organizationId: OrganizationId,
    answer: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | AuditBusy, R> => {
    const turn = turnOf(organizationId)
    return Effect.acquireUseRelease(
      Effect.timeoutOrElse(Effect.interruptible(turn.take(1)), {
        duration: longestWait,
        orElse: () => new AuditBusy({ retryAfter })
      }),
      () => answer,
      () => turn.release(1)
    )
  }
}
