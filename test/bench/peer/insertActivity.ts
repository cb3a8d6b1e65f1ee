import { randomUUID } from "node:crypto"
import type pg from "pg"

const text = `
  INSERT INTO cases.case_activity (organization_id, case_id, sequence, id, type, actor_type, actor_id, at, details)
  VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
`

/** An activity of a case with its actor, as the suite records it. */
interface PeerActivity {
  readonly organizationId: string
  readonly caseId: string
  readonly sequence: number
  readonly type: string
  readonly actorType: string
  readonly actorId: string
  readonly at: Date
  readonly details: Readonly<Record<string, string>>
}

/** Stores an activity of a case, in the transaction of the change. */
export const insertActivity = async (client: pg.PoolClient, activity: PeerActivity): Promise<void> => {
  const { actorId, actorType, at, caseId, details, organizationId, sequence, type } = activity
  const values = [organizationId, caseId, sequence, randomUUID(), type, actorType, actorId, at, JSON.stringify(details)]
  await client.query({ name: "insertActivity", text, values })
}
