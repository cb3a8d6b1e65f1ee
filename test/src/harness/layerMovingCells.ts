import { randomBytes } from "node:crypto"
import { peers } from "@care/domain/peers"
import { findFreeBase, offsets } from "@care/sandbox"
import { Context, Effect, Layer, Pool, Record, Redacted } from "effect"
import { makeSecrets, pharmacyAt, Suite, schedulingProviderAt, stripeAt } from "./Suite.ts"

/** The second of two cells between which organizations move; `Suite` is the first. */
export class OtherCell extends Context.Service<OtherCell, Suite["Service"]>()("@care/test/harness/OtherCell") {}

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
    const providers = {
      STRIPE_API_URL: stripeAt(port),
      SCHEDULING_API_URL: schedulingProviderAt(port),
      PHARMACY_API_URL: pharmacyAt(port)
    }
    const c2 = Context.get(
      yield* Suite.make({ CELL: "c2", GATEWAY_URL, ...providers }, [], {
        secrets: secretsOf((list) => list.toReversed())
      }),
      Suite
    )
    const { auth, cases, payments, scheduling } = c2.urls
    const CELLS = JSON.stringify({ c2: { auth, cases, payments, scheduling, internalSecret: internal[1] } })
    const secrets = secretsOf((list) => list)
    const c1 = yield* Suite.make({ CELLS, GATEWAY_URL }, [], {
      port,
      secrets,
      // The gateway tells cells apart by their secrets.
      gatewaySecrets: { ...secrets, INTERNAL_SECRET: internal[0] }
    })
    return Context.add(c1, OtherCell, c2)
  })
)

/** Returns the environment of `care` that moves organizations between the cells. */
export const moverEnvironment = Effect.gen(function* () {
  const { databaseUrls, secrets, urls } = yield* Suite
  const CELL_DATABASES = JSON.stringify({ c1: databaseUrls, c2: (yield* OtherCell).databaseUrls })
  return { CARE_URL: urls.gateway, ADMIN_TOKEN: secrets.ADMIN_TOKEN, CELL_DATABASES }
})

/** Returns the tables in which a cell has rows of an organization, but for those that lead to its new cell. */
export const tablesWithRows = Effect.fnUntraced(function* (
  { owners }: Pick<Suite["Service"], "owners">,
  organizationId: string
) {
  const found: Array<string> = []
  for (const service of Record.keys(peers)) {
    const tables = yield* Effect.scoped(
      Effect.flatMap(Pool.get(owners[service]), (sql) =>
        Effect.gen(function* () {
          const owned = yield* sql<{ name: string }>`
            SELECT pg_class.oid::regclass::text AS name FROM pg_class JOIN pg_attribute ON attrelid = pg_class.oid
            WHERE relnamespace = ${service}::regnamespace AND relkind = 'r' AND attname = 'organization_id'
              AND relname NOT IN ('organization_moves', 'api_keys')
          `
          const filled = yield* Effect.filter(owned, ({ name }) =>
            Effect.map(
              sql.unsafe(`SELECT FROM ${name} WHERE organization_id = $1::uuid LIMIT 1`, [organizationId]),
              ({ length }) => length > 0
            )
          )
          return filled.map(({ name }) => name)
        })
      )
    )
    found.push(...tables)
  }
  return found
})

/** Returns the options of a move of an organization from c1 to c2, and back. `onStep` runs at each step. */
export const movesOf = Effect.fnUntraced(function* <R>(
  organizationId: string,
  onStep: (step: string) => Effect.Effect<void, never, R>
) {
  const [first, second] = [yield* Suite, yield* OtherCell]
  const context = yield* Effect.context<R>()
  const urlsOf = ({ databaseUrls }: Suite["Service"]) => Record.map(databaseUrls, (url) => Redacted.make(url))
  const options = { organizationId, report: (step: string) => Effect.provideContext(onStep(step), context) }
  return {
    there: { ...options, from: "c1", to: "c2", source: urlsOf(first), target: urlsOf(second) },
    back: { ...options, from: "c2", to: "c1", source: urlsOf(second), target: urlsOf(first) }
  }
})
