import { randomUUID } from "node:crypto"
import { makeCipher } from "../peer/makeCipher.ts"
import type { Bench } from "../startBench.ts"
import { serveReceiver } from "./serveReceiver.ts"

const secret = `whsec_${Buffer.alloc(32, 1).toString("base64")}`

/** Stores endpoints that never answer, each of its own organization and with a pending event: new ones, or ones that worked until now. */
export const makeDeadEndpoints = async ({ database, phiKey }: Bench, count: number, health: "FRESH" | "PROVEN") => {
  const silent = await serveReceiver(() => {})
  const { seal } = makeCipher(phiKey)
  const rows = Array.from({ length: count }, () => {
    const [organizationId, id] = [randomUUID(), randomUUID()]
    const sealed = (column: string, value: string) => seal(value, `webhook_endpoints.${column}`, organizationId, id)
    return { organization_id: organizationId, id, url: sealed("url", silent.url), secret: sealed("secret", secret) }
  })
  const endpointRows = "jsonb_to_recordset($1::jsonb) AS row (organization_id uuid, id uuid, url text, secret text)"
  await database.query("BEGIN")
  await database.query(
    `INSERT INTO cases.webhook_endpoints (
       organization_id, id, url, includes_test_cases, is_enabled, secret, created_at, updated_at
     )
     SELECT organization_id, id, url, false, true, secret, now(), now() FROM ${endpointRows}`,
    [JSON.stringify(rows)]
  )
  await database.query(
    `INSERT INTO cases.delivery_queues (organization_id, endpoint_id, health, is_paused)
     SELECT organization_id, id, $2, false FROM ${endpointRows}`,
    [JSON.stringify(rows), health]
  )
  await database.query(
    `INSERT INTO cases.own_events (organization_id, id, type, at, data, only_endpoint)
     SELECT organization_id, gen_random_uuid(), 'ping', now(), jsonb_build_object('endpointId', id), id FROM ${endpointRows}`,
    [JSON.stringify(rows)]
  )
  await database.query("COMMIT")
  return silent
}
