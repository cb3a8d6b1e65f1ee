import type pg from "pg"
import type { StoredKey } from "./makeCipher.ts"

const insert = `
  INSERT INTO cases.patient_keys (organization_id, user_id, id, wrapped) VALUES ($1, $2, $3, $4)
  ON CONFLICT (organization_id, user_id) DO NOTHING
`
const find = "SELECT id, user_id, wrapped FROM cases.patient_keys WHERE organization_id = $1 AND user_id = $2"

/** Stores a key for a patient without one. Returns the patient's key. */
export const insertKey = async (client: pg.PoolClient, organizationId: string, key: StoredKey): Promise<StoredKey> => {
  const values = [organizationId, key.user_id, key.id, key.wrapped]
  const { rowCount } = await client.query({ name: "insertKey", text: insert, values })
  if (rowCount === 1) return key
  const { rows } = await client.query<StoredKey>({ name: "findKey", text: find, values: [organizationId, key.user_id] })
  return rows[0] ?? key
}
