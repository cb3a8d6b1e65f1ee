import { AuditBusy } from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { memoizeByOrganization } from "@care/service-kit"
import { Effect, Semaphore } from "effect"

/** How long a question waits for those before it, and after how many seconds it may be asked again. */
const patience = "2 seconds"
const retryAfter = 1

/** Makes what answers questions of each organization one at a time: the others wait for a moment, and are refused then. */
export const makeInTurns = () => {
  const turnOf = memoizeByOrganization(() => Semaphore.makeUnsafe(1))
  return <A, E, R>(
    organizationId: OrganizationId,
    answer: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E | AuditBusy, R> => {
    const turn = turnOf(organizationId)
    return Effect.acquireUseRelease(
      Effect.timeoutOrElse(Effect.interruptible(turn.take(1)), {
        duration: patience,
        orElse: () => new AuditBusy({ retryAfter })
      }),
      () => answer,
      () => turn.release(1)
    )
  }
}
