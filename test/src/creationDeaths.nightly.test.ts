import { randomUUID } from "node:crypto"
import type { ServiceName } from "@care/domain/peers"
import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { type Answer, admin, call } from "./harness/call.ts"
import { casesOf } from "./harness/claims.ts"
import { inDatabase } from "./harness/database.ts"
import { type Clinic, caseBody, createCase, makeClinic } from "./harness/fixtures.ts"
import { untilJobsEnd } from "./harness/jobsOf.ts"
import { killService } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { checkPreparations } from "./harness/preparations.ts"
import { paymentIntent } from "./harness/references.ts"
import type { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

/** Kills a service while `work` waits for a locked table of `owner`. Returns the result of the work, which continues. */
const killedWhileWaitingFor = <A, E>(
  owner: ServiceName,
  table: string,
  service: ServiceName,
  work: Effect.Effect<A, E, Suite>
) =>
  inDatabase(owner, (sql) =>
    sql.withTransaction(
      Effect.gen(function* () {
        yield* sql.unsafe(`LOCK TABLE ${owner}.${table} IN EXCLUSIVE MODE`)
        const working = yield* Effect.forkChild(work)
        yield* until(
          sql`
            SELECT pid FROM pg_locks WHERE relation = ${`${owner}.${table}`}::regclass AND NOT granted
              AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
          `,
          (waiting) => waiting.length >= 2
        )
        yield* killService(service)
        return working
      })
    )
  ).pipe(Effect.flatMap(Fiber.join))

/** Runs an effect while the recording of payments is postponed, and lets them be recorded afterwards. */
const puttingOff = <A, E, R>(work: Effect.Effect<A, E, R>) =>
  Effect.acquireUseRelease(
    inDatabase("cases", (sql) =>
      Effect.all([
        sql`
          CREATE FUNCTION cases.put_off() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN NEW.due_at := NEW.due_at + interval '1 hour'; RETURN NEW; END $$
        `,
        sql`
          CREATE TRIGGER put_off BEFORE INSERT ON cases.jobs
          FOR EACH ROW WHEN (NEW.queue_name = 'payment-recording') EXECUTE FUNCTION cases.put_off()
        `
      ])
    ),
    () => work,
    () => Effect.orDie(inDatabase("cases", (sql) => sql`DROP FUNCTION cases.put_off CASCADE`))
  )
// Expires the leases of the dead process, so that repeated requests need not wait for them.
const endLeases = ({ organizationId }: Clinic) =>
  inDatabase(
    "cases",
    (sql) => sql`UPDATE cases.idempotency_keys SET leased_until = now() WHERE organization_id = ${organizationId}`
  )

const recordNow = inDatabase(
  "cases",
  (sql) => sql`UPDATE cases.jobs SET due_at = now() WHERE queue_name = 'payment-recording' AND state = 'pending'`
)

type Requests = Effect.Effect<ReadonlyArray<Answer>, never, Suite>

const steps: Readonly<Record<string, (service: ServiceName, requests: Requests) => Requests>> = {
  "before the payment is prepared": (service, requests) =>
    Effect.orDie(killedWhileWaitingFor("payments", "payment_preparations", service, requests)),
  "between the preparation and the case": (service, requests) =>
    Effect.orDie(killedWhileWaitingFor("auth", "users", service, requests)),
  "between the case and its record": (service, requests) =>
    Effect.gen(function* () {
      const answers = yield* puttingOff(requests)
      yield* killedWhileWaitingFor("payments", "payment_preparations", service, recordNow)
      return answers
    }).pipe(Effect.orDie)
}

// The services whose death the caller sees. The others continue by themselves.
const cutsShort = new Set([
  "cases before the payment is prepared",
  "payments before the payment is prepared",
  "cases between the preparation and the case"
])

testsOn(layerProcesses, "a case and its payment come into being together or not at all", (it) => {
  const paymentsOf = ({ organizationId }: Clinic) =>
    inDatabase(
      "payments",
      (sql) => sql<{ case_id: string }>`
          SELECT case_id, is_prepared, trim_scale(discount)::text AS discount, trim_scale(amount)::text AS amount
          FROM payments.payments WHERE organization_id = ${organizationId} ORDER BY case_id
        `
    )

  for (const [step, kill] of Object.entries(steps)) {
    for (const service of ["cases", "payments"] as const) {
      it(`also when ${service} is killed ${step}`, function* () {
        const clinic = yield* makeClinic
        const promoCode = `CODE-${randomUUID()}`
        yield* admin("POST", "/promo-codes", { code: promoCode, percentDiscount: 10 })
        const bodyWith = (changes: Readonly<Record<string, unknown>>) =>
          Effect.map(paymentIntent({ amount: 900 }), (providerReference) =>
            caseBody(clinic, {
              payment: { amount: 10, currency: "USD", promoCode, providerReference },
              ...changes
            })
          )
        const [keyed, plain] = [yield* bodyWith({ idempotencyKey: "once" }), yield* bodyWith({})]
        const requests = Effect.forEach([keyed, plain], (body) => createCase(clinic, body), {
          concurrency: "unbounded"
        })
        const answers = yield* kill(service, requests)
        yield* until(call("GET", "/health/ready"), ({ json }) => json.status === "ready")
        if (service === "cases") yield* endLeases(clinic)
        const retried = yield* until(createCase(clinic, keyed), ({ status }) => status === 200)

        yield* untilJobsEnd(clinic)
        yield* checkPreparations(clinic)
        const caseIds = (yield* casesOf(clinic)).map(({ id }) => id).sort()
        const accepted = [...answers, retried].filter(({ status }) => status === 200)
        assert.includeMembers(
          caseIds,
          accepted.map(({ json }) => json.data.caseId)
        )
        assert.deepStrictEqual(
          yield* paymentsOf(clinic),
          caseIds.map((case_id) => ({ case_id, is_prepared: false, discount: "1", amount: "9" }))
        )
        const { data } = (yield* admin("GET", `/promo-codes?code=${promoCode}`)).json
        assert.strictEqual(data[0].redemptions, caseIds.length)
        // An interrupted creation leaves nothing, except the one that was repeated.
        const cutShort = answers.filter(({ status }) => status >= 500)
        assert.strictEqual(caseIds.length, cutShort.length === 0 ? 2 : 1)
        assert.strictEqual(cutShort.length > 0, cutsShort.has(`${service} ${step}`))
      })
    }
  }
})
