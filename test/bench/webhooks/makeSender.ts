import { performance } from "node:perf_hooks"
import { textAt } from "../../operations/textAt.ts"
import type { Bench } from "../startBench.ts"

/** Makes events for a receiver: by closing and reopening a case, and a thousand at once. */
export const makeSender = async (
  { database, gatewayUrl, key, organizationId }: Bench,
  url: string,
  body: Readonly<Record<string, unknown>>
) => {
  const post = async (path: string, payload: unknown): Promise<unknown> => {
    const answer = await fetch(`${gatewayUrl}/api/v1${path}`, {
      method: "POST",
      headers: { "cv-api-key": key, "content-type": "application/json" },
      body: JSON.stringify(payload)
    })
    if (!answer.ok) throw new Error(`POST ${path}: ${answer.status} ${await answer.text()}`)
    return await answer.json()
  }
  await post("/webhook-endpoints", { url, eventTypes: ["case.closed", "case.opened"] })
  const created = await post("/cases", body)
  const path = `/cases/${textAt(created, "data", "caseId")}`
  let isClosed = false

  return {
    /** Makes one event, and returns when its request was answered. */
    one: async () => {
      isClosed = !isClosed
      await post(path, { action: "CHANGE_CASE_STATUS", status: isClosed ? "CLOSE" : "REOPEN" })
    },

    /** Makes a thousand events of as many cases in one transaction, and returns when it committed. */
    thousand: async () => {
      await database.query(
        `WITH made AS (
           INSERT INTO cases.cases (
             organization_id, id, short_id, user_id, title, type, status, is_test, is_sole, created_at, updated_at
           )
           SELECT $1, gen_random_uuid(), 'w' || n, gen_random_uuid(), '', 'ASYNC_TEXT_EMAIL', 'OPEN', false, false, now(), now()
           FROM generate_series(1, 1000) n
           RETURNING id
         )
         INSERT INTO cases.case_activity (
           organization_id, case_id, sequence, id, type, actor_type, at, details, awaits_event
         )
         SELECT $1, id, 1, gen_random_uuid(), 'CASE_CLOSED', 'OPERATOR', now(), '{"from":"OPEN","to":"OPEN"}', true FROM made`,
        [organizationId]
      )
      return performance.now()
    }
  }
}
