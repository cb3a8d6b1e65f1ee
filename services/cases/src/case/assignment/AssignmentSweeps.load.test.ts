import { OrganizationId, UserId } from "@care/domain/ids"
import { layerJobsWith } from "@care/jobs"
import { until } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Duration, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { readPersonSnapshot } from "../../../test/personSnapshot.ts"
import { layerStoredCases, layerStoredPeople, readLoads, storeProviders } from "../../../test/storedCases.ts"
import { Directory } from "../directory/Directory.ts"
import { AssignmentFeature } from "./AssignmentFeature.ts"
import { AssignmentSweeps } from "./AssignmentSweeps.ts"
import { ReplicatedProviders } from "./ReplicatedProviders.ts"

const newId = () => crypto.randomUUID()
const organizationId = OrganizationId.make(newId())
const newcomer = UserId.make(newId())
const others = Array.from({ length: 3 }, () => UserId.make(newId()))

// All people are stored, so auth is not called.
const layerDirectory = Layer.mock(Directory, {})

// The jobs of a lost process are taken over soon, and no job that is only delayed by a busy machine.
const jobs = layerJobsWith({
  lockExpiration: Duration.seconds(5),
  lockRefreshInterval: Duration.millis(100),
  pollInterval: Duration.millis(20),
  debounce: Duration.zero,
  waitingLasts: Duration.zero,
  firstRetry: Duration.millis(1)
})

const TestLayer = ReplicatedProviders.layer
  .pipe(Layer.provideMerge(AssignmentSweeps.layer), Layer.provideMerge(jobs))
  .pipe(Layer.provideMerge(layerDirectory), Layer.provideMerge(layerStoredPeople), Layer.provideMerge(layerStoredCases))

layer(TestLayer, { excludeTestServices: true })("a provider who joins", (it) => {
  const seed = (count: number) =>
    Effect.flatMap(
      SqlClient.SqlClient,
      (sql) => sql`
        INSERT INTO cases (
          organization_id, id, short_id, user_id, title, status, type, is_test, is_sole, created_at, updated_at
        )
        SELECT ${organizationId}::uuid, gen_random_uuid(), gen_random_uuid(), gen_random_uuid(), '', 'OPEN',
               'ASYNC_TEXT_EMAIL', false, true, now() - n / 3 * interval '1 minute', now()
        FROM generate_series(1, ${count}::int) AS n
      `
    )

  /** Makes the database refuse a change of a table, at these of its occurrences. */
  const refuse = Effect.fnUntraced(function* (table: string, change: string, times: ReadonlyArray<number>) {
    const sql = yield* SqlClient.SqlClient
    const name = `refusals_of_${table}`
    yield* sql`CREATE SEQUENCE ${sql(name)}`
    yield* sql.unsafe(`
      CREATE FUNCTION ${name}() RETURNS trigger LANGUAGE plpgsql AS $$
        BEGIN
          IF nextval('${name}') = ANY ('{${times.join()}}') THEN RAISE EXCEPTION 'as if the process had ended'; END IF;
          RETURN NEW;
        END
      $$
    `)
    yield* sql.unsafe(
      `CREATE TRIGGER ${name} BEFORE UPDATE ON ${table} FOR EACH ROW WHEN (${change}) EXECUTE FUNCTION ${name}()`
    )
  })

  it.effect("gets their share of 1,000 waiting cases, by one job for each page, also after crashes", () =>
    Effect.gen(function* () {
      const sql = yield* SqlClient.SqlClient
      yield* seed(1000)
      // In the middle of a page, and when a page has offered the next one, but is not completed yet.
      yield* refuse("cases", "NEW.status = 'ASSIGNED'", [250, 601])
      yield* refuse("jobs", "NEW.state = 'completed'", [4])
      const { personChanged } = yield* ReplicatedProviders
      yield* storeProviders(organizationId, others)
      const joined = personChanged(readPersonSnapshot(organizationId, newcomer, 7, { role: "PROVIDER" }))
      yield* joined
      yield* joined
      const rows = sql<{ state: string; attempts: number }>`
        SELECT state, attempts FROM jobs WHERE queue_name = 'assignment-sweep'
      `
      const ended = yield* until(rows, (rows) => rows.every(({ state }) => state === "completed")).pipe(
        Effect.provide(AssignmentFeature)
      )

      assert.deepStrictEqual(
        (yield* readLoads(organizationId)).map(({ caseCount }) => caseCount),
        [250, 250, 250, 250]
      )
      assert.lengthOf(yield* sql`SELECT FROM cases WHERE status = 'OPEN'`, 0)
      assert.strictEqual(
        ended.reduce((tries, { attempts }) => tries + attempts - 1, 0),
        3
      )
      // A page for each hundred and a last one that finds nothing.
      assert.isAtMost(ended.length, 11)
    })
  )
})
