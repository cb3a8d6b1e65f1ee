import { Schema } from "effect"

/** The services that reconcile with a provider. */
export const ReconciledService = Schema.Literals(["cases", "payments", "scheduling"])
export type ReconciledService = typeof ReconciledService.Type

/**
 * `DONE`: everything was compared. `MORE`: call again for the rest. `BUSY`: another sweep of the service is running.
 * `FAILED`: a source could not be compared to its end, as the log says.
 */
export const SweepState = Schema.Literals(["DONE", "MORE", "BUSY", "FAILED"])
export type SweepState = typeof SweepState.Type

/**
 * A difference between this suite and a provider. `REPAIRED`: the provider's state was taken over. `REPORTED`: an
 * operator must look. `id` is the provider's or ours, as `what` says; `organizationId` is null when unknown.
 */
export const Difference = Schema.Struct({
  source: Schema.String,
  action: Schema.Literals(["REPAIRED", "REPORTED"]),
  what: Schema.String,
  id: Schema.String,
  organizationId: Schema.NullOr(Schema.String)
}).annotate({ identifier: "ReconciledDifference" })
export type Difference = typeof Difference.Type

/** A source of a sweep, with the number of compared items. */
export const SweptSource = Schema.Struct({
  name: Schema.String,
  state: SweepState,
  compared: Schema.Natural
}).annotate({ identifier: "ReconciledSource" })
export type SweptSource = typeof SweptSource.Type

/** The result of one call of a service's sweep. */
export const Sweep = Schema.Struct({
  state: SweepState,
  sources: Schema.Array(SweptSource),
  differences: Schema.Array(Difference)
})
export type Sweep = typeof Sweep.Type

/** The result with its service. */
export const ServiceReconciliation = Schema.Struct({ service: ReconciledService, ...Sweep.fields }).annotate({
  identifier: "ServiceReconciliation"
})
export type ServiceReconciliation = typeof ServiceReconciliation.Type
