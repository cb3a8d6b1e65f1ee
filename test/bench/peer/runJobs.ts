import type pg from "pg"
import { assignCase } from "./assignCase.ts"
import { inTransaction } from "./inTransaction.ts"
import type { PeerAudit } from "./makeAudit.ts"
import type { Tell } from "./makeTell.ts"
import type { PeerJob } from "./PeerJob.ts"

const workers = 4

/** The table of jobs. Done jobs are deleted. */
export const createJobs = `
  CREATE TABLE peer.jobs (
    id bigint PRIMARY KEY GENERATED ALWAYS AS IDENTITY,
    organization_id uuid NOT NULL,
    case_id uuid NOT NULL,
    kind text NOT NULL,
    request_id text NOT NULL
  )
`
const take = `
  DELETE FROM peer.jobs WHERE id = (SELECT id FROM peer.jobs ORDER BY id LIMIT 1 FOR UPDATE SKIP LOCKED)
  RETURNING id, kind, organization_id, case_id, request_id
`

/** Does one pending job. Returns false if there is none. A failed job stays pending. */
const runNextJob = (pool: pg.Pool, audit: PeerAudit, sendNotice: Tell): Promise<boolean> =>
  inTransaction(pool, async (client) => {
    const claimed = await client.query<PeerJob>({ name: "takeJob", text: take })
    const [job] = claimed.rows
    if (job === undefined) return false
    await (job.kind === "ASSIGNMENT" ? assignCase(client, audit, job) : sendNotice(client, job.kind, job))
    return true
  })

/** Runs jobs when woken, and once a second. */
export const runJobs = (
  pool: pg.Pool,
  audit: PeerAudit,
  sendNotice: Tell,
  onError: (error: unknown) => void
): (() => void) => {
  let running = 0
  const work = async () => {
    try {
      while (await runNextJob(pool, audit, sendNotice));
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
