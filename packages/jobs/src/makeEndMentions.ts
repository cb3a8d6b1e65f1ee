import type { OrganizationId } from "@care/domain/ids"
import { execute, inBackground, rowsOf } from "@care/service-kit"
import { DateTime, Effect, Schema } from "effect"
import { SqlClient } from "effect/sql"
import { makeJobPayloads } from "./JobPayloads.ts"

const pageSize = 500

const JobWithPayload = Schema.Struct({ id: Schema.String, createdAt: Schema.String, payload: Schema.Uint8Array })
const jobs = rowsOf(JobWithPayload)

const beginning = { createdAt: "-infinity", id: "00000000-0000-0000-0000-000000000000" }

/** Makes the function that cancels jobs of an organization whose payloads contain one of some texts, and deletes their payloads. */
export const makeEndMentions = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient
  const payloads = yield* makeJobPayloads

  // The order does not depend on the state, so a job that changes its state meanwhile is not missed. The row comparisons describe a
  // range of the index: with equalities the planner would read and sort all jobs of the queue for each page.
  const page = (organizationId: OrganizationId, queue: string, after: typeof beginning) =>
    jobs.all(
      sql`
        SELECT id, created_at::text AS created_at, payload FROM jobs
        WHERE payload IS NOT NULL AND (organization_id, queue_name) <= (${organizationId}, ${queue})
          AND (organization_id, queue_name, created_at, id)
            > (${organizationId}, ${queue}, ${after.createdAt}::timestamptz, ${after.id}::uuid)
        ORDER BY organization_id, queue_name, jobs.created_at, id LIMIT ${pageSize}
      `.unprepared
    )

  const cancel = (ids: ReadonlyArray<string>) =>
    Effect.flatMap(DateTime.nowAsDate, (now) =>
      execute(
        sql`
          UPDATE jobs SET state = 'cancelled', payload = NULL, ended_at = ${now}, claim_id = NULL, locked_at = NULL
          WHERE id = ANY(${ids}::uuid[]) AND payload IS NOT NULL
        `.unprepared
      )
    )

  return Effect.fn("Jobs.endMentions")(function* (
    organizationId: OrganizationId,
    queues: ReadonlyArray<string>,
    texts: ReadonlyArray<string>
  ) {
    for (const queue of queues) {
      let after: typeof beginning | undefined = beginning
      while (after !== undefined) {
        const jobsOfPage: ReadonlyArray<typeof JobWithPayload.Type> = yield* page(organizationId, queue, after)
        const mentioning: Array<string> = []
        for (const { id, payload } of jobsOfPage) {
          const content = yield* Effect.option(payloads.open(queue, id, payload))
          const text = JSON.stringify(content)
          if (texts.some((mention) => text.includes(JSON.stringify(mention).slice(1, -1)))) mentioning.push(id)
        }
        if (mentioning.length > 0) yield* cancel(mentioning)
        after = jobsOfPage.length < pageSize ? undefined : jobsOfPage.at(-1)
      }
    }
  }, inBackground)
})
