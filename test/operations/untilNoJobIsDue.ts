import type { ServiceName } from "@care/domain/peers"

/** Runs a statement as the owner of a service's database. */
export type Query = (
  service: ServiceName,
  statement: string,
  values: ReadonlyArray<unknown>
) => Promise<ReadonlyArray<object>>

const services: ReadonlyArray<ServiceName> = ["auth", "cases", "payments", "scheduling"]

// Conditions that match the workers' indexes, so that ended jobs are not read.
const states = [
  "state = 'running'",
  ...["crashes = 0", "crashes > 0"].map(
    (crashes) => `state = 'pending' AND ${crashes} AND due_at <= now() AND queue_name <> 'retired'`
  )
]
const isDue = (service: ServiceName, condition: string) => {
  const dueJobs = states.map((state) => `SELECT FROM ${service}.jobs WHERE ${state} ${condition}`)
  return `SELECT FROM (SELECT EXISTS (${dueJobs.join(" UNION ALL ")}) AS is_due) WHERE is_due`
}

/**
 * Waits until no job of any service is due, or of one organization, at two looks in a row: a service may have offered a job to one that was
 * looked at before it.
 */
export const untilNoJobIsDue = async (query: Query, organizationId?: string): Promise<void> => {
  const [condition, values] = organizationId === undefined ? ["", []] : ["AND organization_id = $1", [organizationId]]
  for (let quietLooks = 0; quietLooks < 2; quietLooks += 1) {
    for (const service of services) {
      if ((await query(service, isDue(service, condition), values)).length > 0) quietLooks = -1
    }
  }
}
