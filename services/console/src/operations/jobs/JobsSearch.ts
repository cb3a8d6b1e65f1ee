import { JobState } from "@care/domain/jobs/Job"
import { Schema } from "effect"

/** The filters of jobs, as the address of the screen has them. Without a state those that were given up are shown. */
export const JobsSearch = Schema.Struct({
  state: Schema.optional(JobState),
  queue: Schema.optional(Schema.String)
})
export type JobsSearch = typeof JobsSearch.Type
