import { assert } from "@effect/vitest"
import { Effect, Fiber } from "effect"
import { admin, call } from "./harness/call.ts"
import { inDatabase } from "./harness/database.ts"
import { makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { killService, untilReady } from "./harness/killService.ts"
import { layerProcesses } from "./harness/layerProcesses.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

// When a change of a key waits, and how many keys there are after the death. A commit that was sent is carried out without its process.
const moments = {
  "before the old key changes": { trigger: "TRIGGER hold BEFORE UPDATE OF replaced_at", deferred: "", keys: 1 },
  "between the old key and the new one": { trigger: "TRIGGER hold BEFORE INSERT", deferred: "", keys: 1 },
  "while both are committed": {
    trigger: "CONSTRAINT TRIGGER hold AFTER INSERT",
    deferred: "DEFERRABLE INITIALLY DEFERRED",
    keys: 2
  }
}

const lock = 7_340_021

/** Kills auth while a change of a key waits at a trigger. Returns the answers to `work`. */
const killedAt = <A, E, R>(
  { deferred, trigger }: (typeof moments)[keyof typeof moments],
  work: Effect.Effect<A, E, R>
) =>
  Effect.acquireUseRelease(
    inDatabase("auth", (sql) =>
      Effect.all([
        sql.unsafe(`
          CREATE FUNCTION auth.hold() RETURNS trigger LANGUAGE plpgsql
          AS $$ BEGIN PERFORM pg_advisory_xact_lock(${lock}); RETURN NEW; END $$
        `),
        sql.unsafe(`CREATE ${trigger} ON auth.api_keys ${deferred} FOR EACH ROW EXECUTE FUNCTION auth.hold()`)
      ])
    ),
    () =>
      inDatabase("auth", (sql) =>
        sql.withTransaction(
          Effect.gen(function* () {
            yield* sql`SELECT pg_advisory_xact_lock(${lock})`
            const working = yield* Effect.forkChild(work)
            yield* until(
              sql`
                SELECT FROM pg_locks WHERE locktype = 'advisory' AND objid = ${lock} AND NOT granted
                  AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
              `,
              ({ length }) => length === 1
            )
            yield* killService("auth")
            return working
          })
        )
      ).pipe(Effect.flatMap(Fiber.join)),
    () => Effect.orDie(inDatabase("auth", (sql) => sql`DROP FUNCTION auth.hold CASCADE`))
  )

testsOn(layerProcesses, "a key has one successor or none", (it) => {
  for (const [name, moment] of Object.entries(moments)) {
    it(`also when auth is killed ${name}`, function* () {
      const live = yield* makeClinic
      for (const { key, keyId, organizationId } of [live, yield* makeSandbox(live)]) {
        const rotate = (id: string) => admin("POST", `/api-keys/${id}/rotate`, {})
        const keys = Effect.map(admin("GET", `/organizations/${organizationId}/api-keys`), ({ json }) =>
          json.data
            .filter((each: { readonly organizationId: string }) => each.organizationId === organizationId)
            .map(({ expiresAt, id }: { readonly expiresAt: string | null; readonly id: string }) => ({ expiresAt, id }))
        )
        const works = (of: string) =>
          Effect.map(call("GET", "/api/v1/products", { key: of }), ({ status }) => status === 200)
        const answers = yield* killedAt(moment, Effect.forEach([keyId, keyId], rotate, { concurrency: "unbounded" }))
        assert.isTrue(answers.every(({ status }) => status >= 500))
        yield* untilReady("auth")
        yield* until(call("GET", "/health/ready"), ({ json }) => json.status === "ready")

        const [old, ...successors] = yield* until(keys, ({ length }) => length >= moment.keys)
        assert.lengthOf(successors, moment.keys - 1)
        assert.strictEqual(old.id, keyId)
        assert.strictEqual(old.expiresAt === null, successors.length === 0)
        assert.isTrue(yield* works(key))

        // The new key was lost with its answer if there is one. It is rotated then.
        const retried = yield* rotate(keyId)
        assert.strictEqual(retried.status, successors.length === 0 ? 201 : 409)
        const issued = retried.status === 201 ? retried : yield* rotate(successors[0].id)
        assert.strictEqual(issued.status, 201)
        assert.isTrue(yield* works(issued.json.key))
        assert.strictEqual((yield* rotate(keyId)).status, 409)
        const all = yield* keys
        const records = yield* admin("GET", `/audit?organizationId=${organizationId}&action=KEY_ISSUED`)
        assert.sameMembers(
          records.json.data.map(({ apiKeyId }: { readonly apiKeyId: string }) => apiKeyId),
          all.map(({ id }: { readonly id: string }) => id)
        )
      }
    })
  }
})
