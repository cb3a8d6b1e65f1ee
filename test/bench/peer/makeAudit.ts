import { hash, randomUUID } from "node:crypto"
import { closeSync, fdatasync, openSync, renameSync, unlinkSync, writeSync } from "node:fs"
import { join } from "node:path"
import { promisify } from "node:util"
import type pg from "pg"
import { inTransaction } from "./inTransaction.ts"

/** The audit tables, with the same indexes as the suite's. */
export const createAudit = `
  CREATE TABLE peer.audit_records (LIKE cases.audit_records INCLUDING ALL);
  CREATE TABLE peer.audit_links (LIKE cases.audit_links INCLUDING ALL);
  CREATE TABLE peer.audit_heads (LIKE cases.audit_heads INCLUDING ALL);
  CREATE TABLE peer.audit_unlinked (LIKE cases.audit_unlinked INCLUDING ALL);
`

/** An audit record: actor, action, patient and request. */
interface PeerRecord {
  readonly organization_id: string
  readonly action: string
  readonly actor_type: string
  readonly actor_id: string
  readonly case_id: string | null
  readonly user_id: string
  readonly request_id: string
  readonly kinds: ReadonlyArray<string>
}

/** The fields that all records of a request share. */
export type PeerProvenance = Omit<PeerRecord, "action" | "case_id" | "user_id" | "kinds">

interface StoredRecord extends PeerRecord {
  readonly id: string
  readonly at: string
}

const shape = `
  (organization_id uuid, id uuid, at timestamptz, action text, actor_type text, actor_id text, case_id uuid, user_id uuid,
   request_id text, kinds text[], number integer, hash text)
`
const columns = "organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id, kinds"
const record = `
  WITH recorded AS (
    INSERT INTO peer.audit_records (${columns}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
  )
  INSERT INTO peer.audit_unlinked (organization_id, record_id) VALUES ($1, $2)
`
const takeWaiting = `
  WITH taken AS (DELETE FROM peer.audit_unlinked RETURNING organization_id, record_id)
  SELECT r.* FROM taken JOIN peer.audit_records r ON r.organization_id = taken.organization_id AND r.id = taken.record_id
  ORDER BY r.at, r.id
`
const link = `
  WITH given AS MATERIALIZED (SELECT * FROM jsonb_to_recordset($1::jsonb) AS given ${shape}),
  recorded AS (
    INSERT INTO peer.audit_records (${columns})
    SELECT ${columns} FROM given
    ON CONFLICT DO NOTHING
  ), linked AS (
    INSERT INTO peer.audit_links (organization_id, number, record_id, hash)
    SELECT organization_id, number, id, decode(hash, 'hex') FROM given
  )
  INSERT INTO peer.audit_heads (organization_id, count, hash)
  SELECT DISTINCT ON (organization_id) organization_id, number, decode(hash, 'hex') FROM given
  ORDER BY organization_id, number DESC
  ON CONFLICT (organization_id) DO UPDATE SET count = excluded.count, hash = excluded.hash
`

const stored = (peerRecord: PeerRecord): StoredRecord => {
  const at = new Date()
  const millis = at.getTime().toString(16).padStart(12, "0")
  return {
    ...peerRecord,
    id: `${millis.slice(0, 8)}-${millis.slice(8)}-7${randomUUID().slice(-21)}`,
    at: at.toISOString()
  }
}

/** Records who reads and changes what. */
export type PeerAudit = ReturnType<typeof makeAudit>

/**
 * Records reads and changes in chains, as the suite does: reads as lines of a file in a folder, changes in their transaction. Both are linked
 * once a second.
 */
export const makeAudit = (pool: pg.Pool, folder: string, onError: (error: unknown) => void) => {
  const path = join(folder, "peer-reads.jsonl")
  let file = openSync(path, "a")
  let reads: Array<StoredRecord> = []

  const linkAll = async (batch: ReadonlyArray<StoredRecord>) =>
    inTransaction(pool, async (client) => {
      const waiting = await client.query<StoredRecord>({ name: "takeWaiting", text: takeWaiting })
      const all = [...waiting.rows, ...batch]
      if (all.length === 0) return
      const heads = await client.query<{ organization_id: string; count: number; hash: string }>({
        name: "heads",
        text: "SELECT organization_id, count, encode(hash, 'hex') AS hash FROM peer.audit_heads WHERE organization_id = ANY($1)",
        values: [[...new Set(all.map(({ organization_id }) => organization_id))]]
      })
      const ends = new Map(heads.rows.map(({ count, hash, organization_id }) => [organization_id, { count, hash }]))
      const links = all.map((each) => {
        const before = ends.get(each.organization_id) ?? { count: 0, hash: "" }
        const end = { count: before.count + 1, hash: hash("sha256", JSON.stringify([before, each])) }
        ends.set(each.organization_id, end)
        return { ...each, number: end.count, hash: end.hash }
      })
      await client.query({ name: "link", text: link, values: [JSON.stringify(links)] })
    })

  const move = async () => {
    const batch = reads
    reads = []
    const full = file
    if (batch.length > 0) {
      renameSync(path, `${path}.full`)
      file = openSync(path, "a")
      await promisify(fdatasync)(full)
    }
    await linkAll(batch)
    if (batch.length > 0) {
      closeSync(full)
      unlinkSync(`${path}.full`)
    }
  }

  const linkRepeatedly = () => {
    setTimeout(() => void move().catch(onError).finally(linkRepeatedly), 1000)
  }
  linkRepeatedly()

  return {
    /** Records a read before it is answered. */
    read: (peerRecord: PeerRecord): void => {
      const read = stored(peerRecord)
      writeSync(file, `${JSON.stringify(read)}\n`)
      reads.push(read)
    },
    /** Records a change in its transaction. */
    changed: async (client: pg.PoolClient | pg.Pool, peerRecord: PeerRecord): Promise<void> => {
      const { action, actor_id, actor_type, at, case_id, id, kinds, organization_id, request_id, user_id } =
        stored(peerRecord)
      const values = [
        ...[organization_id, id, at, action, actor_type, actor_id, case_id, user_id, request_id],
        [...kinds]
      ]
      await client.query({ name: "record", text: record, values })
    }
  }
}
