import type pg from "pg"
import { insertActivity } from "./insertActivity.ts"
import { inTransaction } from "./inTransaction.ts"

const workers = 4

const take = `
  DELETE FROM peer.jobs WHERE id = (SELECT id FROM peer.jobs ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING organization_id, case_id
`
const assign = `
  UPDATE cases.cases c
  SET status = 'ASSIGNED', assigned_to = least_busy.id, assigned_at = $3, updated_at = $3,
      activity_count = activity_count + 1
  FROM (
    SELECT provider.id
    FROM cases.cases wanted
    JOIN auth.users patient ON patient.organization_id = $1 AND patient.id = wanted.user_id
    JOIN auth.users provider ON provider.organization_id = $1
      AND (cardinality(provider.licensed_states) = 0 OR patient.state IS NULL
        OR upper(trim(patient.state)) = ANY(provider.licensed_states))
    LEFT JOIN cases.provider_loads load ON load.organization_id = $1 AND load.provider_id = provider.id
    WHERE wanted.organization_id = $1 AND wanted.id = $2
      AND provider.role = 'PROVIDER' AND provider.is_active AND provider.deleted_at IS NULL
    ORDER BY coalesce(load.case_count, 0), load.last_assigned_at NULLS FIRST, provider.id
    LIMIT 1
  ) least_busy
  WHERE c.organization_id = $1 AND c.id = $2 AND c.status = 'OPEN' AND NOT c.is_archived AND NOT c.is_test
  RETURNING c.assigned_to, c.activity_count
`
const count = `
  INSERT INTO cases.provider_loads (organization_id, provider_id, case_count, last_assigned_at) VALUES ($1, $2, 1, $3)
  ON CONFLICT (organization_id, provider_id) DO UPDATE
  SET case_count = provider_loads.case_count + 1,
      last_assigned_at = greatest(provider_loads.last_assigned_at, excluded.last_assigned_at)
`

interface AssignmentJob {
  readonly organization_id: string
  readonly case_id: string
}

/** Does one job, if one waits: gives its case to the provider with the fewest. False when none waits. */
const workOff = (pool: pg.Pool): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const taken = await client.query<AssignmentJob>({ name: "takeJob", text: take })
    const [job] = taken.rows
    if (job === undefined) return false
    const now = new Date()
    const assigned = await client.query<{ assigned_to: string; activity_count: number }>({
      name: "assign",
      text: assign,
      values: [job.organization_id, job.case_id, now]
    })
    const [given] = assigned.rows
    if (given !== undefined) {
      const { activity_count: sequence, assigned_to: providerId } = given
      await insertActivity(client, {
        organizationId: job.organization_id,
        caseId: job.case_id,
        sequence,
        type: "CASE_ASSIGNED",
        actorType: "JOB",
        actorId: "assignment",
        at: now,
        details: { from: "OPEN", to: "ASSIGNED", providerId }
      })
      await client.query({ name: "count", text: count, values: [job.organization_id, providerId, now] })
    }
    return true
  })

/** Works the jobs of automatic assignment off: when told that there is one, and once a second. */
export const runAssignments = (pool: pg.Pool, onError: (error: unknown) => void): (() => void) => {
  let running = 0
  const work = async () => {
    try {
      while (await workOff(pool));
    } catch (error) {
      onError(error)
    } finally {
      running -= 1
    }
  }
  const wake = () => {
    if (running === workers) return
    running += 1
    void work()
  }
  setInterval(wake, 1000)
  return wake
}
