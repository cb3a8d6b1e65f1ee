/** Runs a statement in the suite's database as its owner. */
export type Query = (statement: string, values: ReadonlyArray<unknown>) => Promise<ReadonlyArray<object>>

const services = ["auth", "cases", "payments", "scheduling"]

// Conditions that match the workers' indexes, so that ended jobs are not read.
const states = [
  "state = 'running'",
  ...["crashes = 0", "crashes > 0"].map(
    (crashes) => `state = 'pending' AND ${crashes} AND due_at <= now() AND queue_name <> 'retired'`
  )
]
const dueJobs = services.flatMap((service) => states.map((state) => `SELECT FROM ${service}.jobs WHERE ${state}`))

/** Waits until no job of any service is due. */
export const untilNoJobIsDue = async (query: Query): Promise<void> => {
  for (;;) {
    const rows = await query(`SELECT FROM (SELECT EXISTS (${dueJobs.join(" UNION ALL ")}) AS is_due) WHERE is_due`, [])
    if (rows.length === 0) return
  }
}
