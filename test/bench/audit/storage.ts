import { execFile } from "node:child_process"
import { join } from "node:path"
import { promisify } from "node:util"
import type pg from "pg"
import { say } from "../say.ts"

const care = join(import.meta.dirname, "../../../packages/cli/src/main.ts")

/** What a recorded read stored before the audit had months, in bytes with indexes. The aim is a third of it. */
const bytesBefore = 1092

/** Measures what the records of an organization take in the database of cases, and how long their chain takes to be verified. */
export const measureStorage = async (
  database: pg.ClientBase,
  gatewayUrl: string,
  organizationId: string
): Promise<void> => {
  const { rows } = await database.query(`
    SELECT (SELECT sum(pg_total_relation_size(inhrelid)) FROM pg_inherits
            WHERE inhparent IN ('cases.audit_entries'::regclass, 'cases.audit_entry_cases'::regclass))::float8 AS bytes,
           (SELECT count(*) FROM cases.audit_entries)::float8 AS records
  `)
  const [{ bytes, records }] = rows
  const each = bytes / records
  say(
    `\nStored: ${each.toFixed(0)} bytes a record, of ${records.toLocaleString("en")} (${(each / bytesBefore).toFixed(2)} of ${bytesBefore}; aim: 0.33)`
  )
  const began = performance.now()
  const parameters = [care, "audit", "verify", "--organization", organizationId]
  await promisify(execFile)(process.execPath, parameters, { env: { ...process.env, CARE_URL: gatewayUrl } })
  const seconds = (performance.now() - began) / 1000
  say(`Verified in ${seconds.toFixed(1)} s, with the start of the command`)
}
