import { Effect } from "effect"
import { CancellationSettling } from "./CancellationSettling.ts"
import { Cancellations } from "./Cancellations.ts"

/** Does the job: the appointment is called off after all, unless the provider refuses that. */
export const layerCancellationSettling = CancellationSettling.worker(
  Effect.map(
    Cancellations,
    ({ settle }) =>
      ({ cancellationId, organizationId }) =>
        settle(organizationId, cancellationId)
  )
)
