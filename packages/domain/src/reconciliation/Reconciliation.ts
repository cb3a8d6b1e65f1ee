import { Schema } from "effect"

/** The services that compare what they know with a provider. */
export const ReconciledService = Schema.Literals(["cases", "payments", "scheduling"])
export type ReconciledService = typeof ReconciledService.Type

/**
 * `DONE`: everything was compared. `MORE`: a part was, and another call goes on. `BUSY`: another sweep of the service is
 * under way. `FAILED`: a source could not be compared to its end; the log says why.
 */
export const SweepState = Schema.Literals(["DONE", "MORE", "BUSY", "FAILED"])
export type SweepState = typeof SweepState.Type

/**
 * One thing that is not the same here and at the provider. `REPAIRED`: what the provider says was taken in. `REPORTED`:
 * somebody has to look. `id` is the provider's or ours, as `what` says; `organizationId` is null when nobody knows it.
 */
export const Difference = Schema.Struct({
  source: Schema.String,
  action: Schema.Literals(["REPAIRED", "REPORTED"]),
  what: Schema.String,
  id: Schema.String,
  organizationId: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ReconciledDifference" })
export type Difference = typeof Difference.Type

/** What a sweep looked at: how many things of a source, and how that ended. */
export const SweptSource = Schema.Struct({
  name: Schema.String,
  state: SweepState,
  compared: Schema.Natural
}).annotate({ identifier: "ReconciledSource" })
export type SweptSource = typeof SweptSource.Type

/** What a sweep of a service did, in one call. */
export const Sweep = Schema.Struct({
  state: SweepState,
  sources: Schema.Array(SweptSource),
  differences: Schema.Array(Difference)
})
export type Sweep = typeof Sweep.Type

/** The same, as operators see it. */
export const ServiceReconciliation = Schema.Struct({ service: ReconciledService, ...Sweep.fields }).annotate({
  identifier: "ServiceReconciliation"
})
export type ServiceReconciliation = typeof ServiceReconciliation.Type
