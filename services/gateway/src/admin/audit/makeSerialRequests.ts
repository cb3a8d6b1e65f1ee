import { AuditBusy } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { memoizeByOrganization } from "@care/service-kit"
import { Effect, Semaphore } from "effect"

/** How long a request waits for earlier ones, and the `retry-after` of a refusal in seconds. */
const maxWait = "2 seconds"
const retryAfter = 1

/** Makes the function that runs an organization's requests one at a time. A request that waits too long is refused. */
export const makeSerialRequests = () => {
  const semaphoreOf = memoizeByOrganization(() => Semaphore.makeUnsafe(1))
  return <A, E, R>(
    organizationId: OrganizationId,
    answer: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | AuditBusy, R> => {
    const semaphore = semaphoreOf(organizationId)
    return Effect.acquireUseRelease(
      Effect.timeoutOrElse(Effect.interruptible(semaphore.take(1)), {
        duration: maxWait,
        orElse: () => new AuditBusy({ retryAfter })
      }),
      () => answer,
      () => semaphore.release(1)
    )
  }
}
