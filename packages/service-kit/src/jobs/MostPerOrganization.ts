import { Context } from "effect"

/** How many jobs of one organization may be under way at once in the queue that is taken from; undefined is no limit. */
export const MostPerOrganization = Context.Reference<number | undefined>("@care/service-kit/jobs/MostPerOrganization", {
  defaultValue: () => undefined
})
