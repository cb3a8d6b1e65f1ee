import { randomBytes } from "node:crypto"
import { type MoveOptions, moveOrganization } from "@care/cli"
import { peers, type ServiceName } from "@care/domain/peers"
import { findFreeBase, offsets } from "@care/sandbox"
import { Clock, Context, type Duration, Effect, Layer, Pool, Record, Redacted } from "effect"
import { admin } from "./call.ts"
import { makeClinic } from "./fixtures.ts"
import { makeSecrets, pharmacyAt, Suite, schedulingProviderAt, stripeAt, testStandInsAt } from "./Suite.ts"
import { SuiteTime } from "./SuiteTime.ts"

/** The second of two cells between which organizations move; `Suite` is the first. */
export class OtherCell extends Context.Service<OtherCell, Suite["Service"]>()("@care/test/harness/OtherCell") {}

/** The URLs of the databases of both cells for `care org move`. */
class MoverUrls extends Context.Service<
  MoverUrls,
  Readonly<Record<"c1" | "c2", Readonly<Record<ServiceName, string>>>>
>()("@care/test/harness/MoverUrls") {}

// Statements of roles named care_ are those of services.
const mover = "organization_mover"

/** Makes the role that moves organizations as operators do: a member of the schemas' owners. Returns its URLs of a cell. */
const makeMover = ({ databaseUrls, owners }: Pick<Suite["Service"], "databaseUrls" | "owners">) =>
  Effect.forEach(
    Record.keys(peers),
    (service) =>
      Pool.use(owners[service], (sql) =>
        sql.unsafe(`
          DO $$ BEGIN
            IF to_regrole('${mover}') IS NULL THEN
              CREATE ROLE ${mover} LOGIN PASSWORD '${mover}' NOSUPERUSER NOBYPASSRLS;
              GRANT SET ON PARAMETER session_replication_role TO ${mover};
            END IF;
            EXECUTE format('GRANT %I TO ${mover}', (SELECT nspowner::regrole::text FROM pg_namespace WHERE nspname = '${service}'));
          END $$
        `)
      ),
    { discard: true }
  ).pipe(
    Effect.orDie,
    Effect.as(
      Record.map(databaseUrls, (url) => {
        const changed = new URL(url)
        changed.username = mover
        changed.password = mover
        return changed.toString()
      })
    )
  )

const newSecret = () => randomBytes(32).toString("base64url")

/**
 * Provides two cells, c1 and c2, with the same accounts at providers. Each has databases of its own. Its secrets are its own, too, but
 * those of the other cell are accepted, as an operator prepares a move. The gateway of `Suite` serves both.
 */
export const layerMovingCells = Layer.effectContext(
  Effect.gen(function* () {
    const port = yield* findFreeBase(Object.values(offsets))
    const GATEWAY_URL = `http://127.0.0.1:${port}`
    const common = makeSecrets("k1")
    const [internal, jwt] = [
      [common.INTERNAL_SECRET, newSecret()],
      [common.JWT_SECRET, newSecret()]
    ] as const
    const phi = [common.PHI_KEY, `k2:${randomBytes(32).toString("base64")}`]
    const secretsOf = (order: (list: ReadonlyArray<string>) => ReadonlyArray<string>) => ({
      ...common,
      INTERNAL_SECRET: order(internal).join(","),
      JWT_SECRET: order(jwt).join(","),
      PHI_KEY: order(phi).join(",")
    })
    const test = testStandInsAt(port)
    const providers = {
      TEST_STRIPE_API_URL: test.stripe,
      TEST_SCHEDULING_API_URL: test.scheduling,
      TEST_PHARMACY_API_URL: test.pharmacy,
      STRIPE_API_URL: stripeAt(port),
      SCHEDULING_API_URL: schedulingProviderAt(port),
      PHARMACY_API_URL: pharmacyAt(port)
    }
    const second = yield* Suite.make({ CELL: "c2", GATEWAY_URL, PUBLIC_URL: GATEWAY_URL, ...providers }, [], {
      secrets: secretsOf((list) => list.toReversed())
    })
    const c2 = Context.get(second, Suite)
    const { auth, cases, payments, scheduling } = c2.urls
    const CELLS = JSON.stringify({ c2: { auth, cases, payments, scheduling, internalSecret: internal[1] } })
    const secrets = secretsOf((list) => list)
    const c1 = yield* Suite.make({ CELLS, GATEWAY_URL }, [], {
      port,
      secrets,
      // The gateway tells cells apart by their secrets.
      gatewaySecrets: { ...secrets, INTERNAL_SECRET: internal[0] }
    })
    const urls = { c1: yield* makeMover(Context.get(c1, Suite)), c2: yield* makeMover(c2) }
    const { advance, clock } = Context.get(c1, SuiteTime)
    const time = SuiteTime.of({
      clock,
      advance: (duration) => Effect.andThen(advance(duration), Context.get(second, SuiteTime).advance(duration))
    })
    return c1.pipe(Context.add(OtherCell, c2), Context.add(MoverUrls, urls), Context.add(SuiteTime, time))
  })
)

/** Returns the environment of `care` that moves organizations between the cells. */
export const moverEnvironment = Effect.gen(function* () {
  const { secrets, urls } = yield* Suite
  const CELL_DATABASES = JSON.stringify(yield* MoverUrls)
  return { CARE_URL: urls.gateway, ADMIN_TOKEN: secrets.ADMIN_TOKEN, CELL_DATABASES }
})

/** Returns a digest of the rows of an organization for each table of a cell that has any, but for those that lead to its new cell. */
export const digestsOf = Effect.fnUntraced(function* (
  { owners }: Pick<Suite["Service"], "owners">,
  organizationId: string
) {
  const digests: Record<string, string> = {}
  for (const service of Record.keys(peers)) {
    yield* Pool.use(
      owners[service],
      Effect.fnUntraced(function* (sql) {
        const tables = yield* sql<{ name: string }>`
          SELECT pg_class.oid::regclass::text AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
          WHERE relnamespace = ${service}::regnamespace AND relkind = 'r' AND attname = 'organization_id'
            AND relname NOT IN ('organization_moves', 'api_keys')
        `
        for (const { name } of tables) {
          const [found] = yield* sql.unsafe<{ digest: string | null }>(
            `SELECT count(*) || ' ' || md5(string_agg(to_jsonb(stored)::text, ',' ORDER BY to_jsonb(stored)::text)) AS digest
             FROM ${name} AS stored WHERE organization_id = $1::uuid`,
            [organizationId]
          )
          if (typeof found?.digest === "string") digests[name] = found.digest
        }
      })
    )
  }
  return digests
})

/** Returns the triggers and policies of moves in a cell, and the states of those that are not finished. */
export const helpersOfMoves = ({ owners }: Pick<Suite["Service"], "owners">) =>
  Effect.forEach(Record.keys(peers), (service) =>
    Pool.use(owners[service], (sql) =>
      sql.unsafe(`
        SELECT tgname AS name FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE relnamespace = '${service}'::regnamespace AND tgname LIKE 'care\\_move\\_%'
        UNION ALL SELECT policyname FROM pg_policies WHERE schemaname = '${service}'
        UNION ALL SELECT state FROM ${service}.organization_moves WHERE state <> 'GONE'
        UNION ALL SELECT table_name FROM ${service}.organization_changes
      `)
    )
  ).pipe(Effect.map((found) => found.flat()))

/** Makes a clinic in a cell. A new organization gets the cell with the fewest. */
export const makeClinicIn = (name: string) =>
  Effect.flatMap(makeClinic, (clinic) =>
    Effect.map(admin("GET", `/organizations/${clinic.organizationId}`), ({ json }) => ({ clinic, cell: json.cell }))
  ).pipe(
    Effect.repeat({ until: ({ cell }) => cell === name }),
    Effect.map(({ clinic }) => clinic)
  )

/** Makes a clinic in c1, from which the tests move it. */
export const makeMovingClinic = makeClinicIn("c1")

/** Returns the options of a move of an organization from c1 to c2, and back. `onStep` runs at each step. */
export const movesOf = Effect.fnUntraced(function* <R>(
  organizationId: string,
  onStep: (step: string) => Effect.Effect<void, never, R>
) {
  const { c1, c2 } = Record.map(yield* MoverUrls, (urls) => Record.map(urls, (url) => Redacted.make(url)))
  const context = yield* Effect.context<R>()
  const options = { organizationId, report: (step: string) => Effect.provideContext(onStep(step), context) }
  return {
    there: { ...options, from: "c1", to: "c2", source: c1, target: c2 },
    back: { ...options, from: "c2", to: "c1", source: c2, target: c1 }
  }
})

// What the mover waits for after a step, until no process remembers what was before.
const waits: Readonly<Record<number, Duration.Input>> = { 4: "3 seconds", 6: "12 seconds" }

/** Moves an organization. Where the mover waits, the clocks of both cells move forward instead. */
export const moveWithoutWaits = (options: MoveOptions) =>
  Effect.flatMap(SuiteTime, ({ advance, clock }) =>
    moveOrganization({
      ...options,
      report: (text, step) => Effect.andThen(options.report(text, step), advance(waits[step] ?? 0))
    }).pipe(Effect.provideService(Clock.Clock, clock))
  )
