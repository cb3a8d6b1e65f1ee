import type pg from "pg"
import { insertActivity } from "./insertActivity.ts"
import type { PeerAudit } from "./makeAudit.ts"
import type { PeerJob } from "./PeerJob.ts"

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
  RETURNING c.assigned_to, c.activity_count, c.user_id
`
const count = `
  INSERT INTO cases.provider_loads (organization_id, provider_id, case_count, last_assigned_at) VALUES ($1, $2, 1, $3)
  ON CONFLICT (organization_id, provider_id) DO UPDATE
  SET case_count = provider_loads.case_count + 1,
      last_assigned_at = greatest(provider_loads.last_assigned_at, excluded.last_assigned_at)
`

const insertNotice =
  "INSERT INTO peer.jobs (organization_id, case_id, kind, request_id) VALUES ($1, $2, 'CASE_ASSIGNED', $3)"

/** Assigns the case of a job to the provider with the fewest cases, and stores the job that notifies them. Must run in a transaction. */
export const assignCase = async (client: pg.PoolClient, audit: PeerAudit, job: PeerJob): Promise<void> => {
  const now = new Date()
  const assigned = await client.query<{ assigned_to: string; activity_count: number; user_id: string }>({
    name: "assign",
    text: assign,
    values: [job.organization_id, job.case_id, now]
  })
  const [assignedCase] = assigned.rows
  if (assignedCase === undefined) return
  const { activity_count: sequence, assigned_to: providerId, user_id: userId } = assignedCase
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
  await audit.changed(client, {
    organization_id: job.organization_id,
    action: "CASE_ASSIGNED",
    actor_type: "JOB",
    actor_id: "assignment",
    case_id: job.case_id,
    user_id: userId,
    request_id: job.request_id,
    kinds: ["CASES"]
  })
  await client.query({ name: "count", text: count, values: [job.organization_id, providerId, now] })
  await client.query({
    name: "insertNotice",
    text: insertNotice,
    values: [job.organization_id, job.case_id, job.request_id]
  })
}
