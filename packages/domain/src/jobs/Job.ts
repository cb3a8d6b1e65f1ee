import { Record, Schema } from "effect"
import { Timestamp } from "../http/Timestamp.ts"
import { JobId, OrganizationId } from "../Ids.ts"
import { peers } from "../peers.ts"

/** The state of a job: it waits, runs, was dead-lettered, is done, or was cancelled because its subject had ended. */
export const JobState = Schema.Literals(["pending", "running", "failed", "completed", "cancelled"])
export type JobState = typeof JobState.Type

/**
 * A job without its payload. `attempts` counts its runs, `lastFailure` is the error of the last one, `requestId` the
 * request that caused it (its own id when none did).
 */
export const ServiceJob = Schema.Struct({
  id: JobId,
  queue: Schema.String,
  state: JobState,
  organizationId: Schema.NullOr(OrganizationId),
  attempts: Schema.Natural,
  lastFailure: Schema.NullOr(Schema.String),
  requestId: Schema.String,
  createdAt: Timestamp,
  dueAt: Timestamp,
  endedAt: Schema.NullOr(Timestamp)
})
export type ServiceJob = typeof ServiceJob.Type

const { id, ...fields } = ServiceJob.fields

/** A job with its service. */
export const Job = Schema.Struct({ id, service: Schema.Literals(Record.keys(peers)), ...fields }).annotate({
  identifier: "Job"
})
export type Job = typeof Job.Type

export class JobNotFound extends Schema.TaggedError<JobNotFound>()("JobNotFound", { jobId: JobId }) {}

/** The job is not dead-lettered, so it cannot be retried. */
export class JobNotFailed extends Schema.TaggedError<JobNotFailed>()("JobNotFailed", {
  jobId: JobId,
  state: JobState
}) {}
