import { Effect } from "effect"
import { type Answer, admin } from "./call.ts"
import { inDatabase } from "./database.ts"
import { type Clinic, caseBody, createCase } from "./fixtures.ts"
import { newPayment } from "./references.ts"
import { until } from "./until.ts"

const newerJobVersion = {
  begin: inDatabase("cases", (sql) =>
    Effect.all([
      sql`
        CREATE OR REPLACE FUNCTION cases.of_the_future() RETURNS trigger LANGUAGE plpgsql
        AS $$ BEGIN NEW.version := 7; RETURN NEW; END $$
      `,
      sql`
        CREATE TRIGGER of_the_future BEFORE INSERT ON cases.jobs
        FOR EACH ROW WHEN (NEW.queue_name = 'payment-recording') EXECUTE FUNCTION cases.of_the_future()
      `
    ])
  ),
  end: inDatabase("cases", (sql) => sql`DROP TRIGGER of_the_future ON cases.jobs`)
}

/** Creates a case whose payment was not recorded, because its job failed with a payload of an unknown version. `repair` makes it readable. */
export const failedPayment = Effect.fnUntraced(function* (clinic: Clinic) {
  const description = "Three months of the program"
  const payment = { ...(yield* newPayment), description }
  yield* newerJobVersion.begin
  const created = yield* createCase(clinic, caseBody(clinic, { payment }))
  yield* newerJobVersion.end
  const jobOf = ({ json }: Answer) =>
    json.data.find((job: { readonly organizationId: string }) => job.organizationId === clinic.organizationId)
  const failed = admin("GET", "/jobs?state=failed&queue=payment-recording")
  const listed = yield* until(failed, (answer) => jobOf(answer) !== undefined)
  return {
    job: jobOf(listed),
    description,
    requestId: created.headers.get("x-request-id") ?? "-",
    repair: inDatabase("cases", (sql) => sql`UPDATE cases.jobs SET version = 1 WHERE queue_name = 'payment-recording'`)
  }
})
