import { randomBytes } from "node:crypto"
import { totalmem } from "node:os"
import { join } from "node:path"
import { answerLimits, rateLimits, rateLimitVariable } from "@care/domain/http"
import {
  findFreeBase,
  forEveryService,
  offsets,
  runEmbeddedPostgres,
  type StartSettings,
  startSuite
} from "@care/sandbox"
import { ConfigProvider, Effect } from "effect"
import pg from "pg"
import StripeClient from "stripe"
import { makeAdmin } from "./makeAdmin.ts"
import { makeOrganization } from "./makeOrganization.ts"
import { say } from "./say.ts"
import { temporaryFolder } from "./temporaryFolder.ts"

/** The offsets of further ports that a benchmark may use beside those of the suite. */
export const benchOffsets = { peerGateway: 25, peerService: 26 }

const secrets = {
  ADMIN_TOKEN: randomBytes(32).toString("base64url"),
  INTERNAL_SECRET: randomBytes(32).toString("base64url"),
  JWT_SECRET: randomBytes(64).toString("base64url"),
  PHI_KEY: `k1:${randomBytes(32).toString("base64")}`,
  STRIPE_SECRET_KEY: `sk_test_${randomBytes(32).toString("hex")}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("hex")}`
}

// Without rate limits, because one organization sends all requests as fast as possible.
const unlimited = Object.fromEntries(
  [...Object.values(rateLimits), ...Object.values(answerLimits)].map((rule) => [rateLimitVariable(rule), "1000000000"])
)

// The settings of a real server. With the defaults a million cases would be written out repeatedly.
const serverSettings = { max_wal_size: "16GB", checkpoint_timeout: "30min" }

const aQuarter = Math.round(totalmem() / 4 / 2 ** 20)

/** What a benchmark starts: how, as the start command is told, and how many megabytes of buffers PostgreSQL has (a quarter of the memory). */
interface BenchStart extends Pick<StartSettings, "isProduction" | "programOf"> {
  readonly bufferMegabytes?: number
}

const tellMemory = async (database: pg.ClientBase, megabytes: number): Promise<void> => {
  const { rows } = await database.query(
    "SELECT current_setting('shared_buffers') AS buffers, current_setting('huge_pages_status') AS huge"
  )
  const [{ buffers, huge }] = rows
  const pages = Math.ceil((megabytes / 2) * 1.05)
  say(`PostgreSQL has ${buffers} of buffers, huge pages: ${huge}`)
  if (huge !== "on") say(`  (sysctl -w vm.nr_hugepages=${pages} gives them; see docs/performance.md)`)
}

/** The environment of every benchmark: see `startBench`. */
export type Bench = Effect.Success<ReturnType<typeof startBench>>

/**
 * Starts PostgreSQL and the suite, and makes an organization with a key, a product and some providers; `database` is
 * connected as the owner. Everything is gone when the scope closes.
 */
export const startBench = Effect.fnUntraced(function* (
  { bufferMegabytes = aQuarter, ...how }: BenchStart,
  variables: Readonly<Record<string, string>> = {}
) {
  const folder = yield* temporaryFolder
  const port = yield* findFreeBase([...Object.values(offsets), ...Object.values(benchOffsets)])
  say("Starting PostgreSQL and the suite ...")
  const { url: databaseUrl } = yield* runEmbeddedPostgres({
    directory: join(folder, "postgres"),
    port: port + offsets.postgres,
    password: "bench",
    isDurable: true,
    settings: { ...serverSettings, shared_buffers: `${bufferMegabytes}MB` }
  })
  Object.assign(process.env, secrets, unlimited, variables)
  const settings = {
    ...how,
    port,
    host: "127.0.0.1",
    dataDirectory: folder,
    databaseUrls: forEveryService(databaseUrl),
    isTerminal: false
  }
  const publicUrl = `http://127.0.0.1:${port}`
  // A new provider, because the default one has read the environment before the change.
  const environment = ConfigProvider.layer(ConfigProvider.fromEnvRecord({ ...process.env }))
  const suite = yield* startSuite({ ...settings, publicUrl }, (name, line) => {
    if (/\b(ERROR|FATAL)\b/.test(line)) say(`${name} ${line}`)
  }).pipe(Effect.provide(environment))

  const admin = makeAdmin(suite.gatewayUrl, secrets.ADMIN_TOKEN)
  const organization = yield* makeOrganization(admin, "Bench")

  const database = yield* Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new pg.Client({ connectionString: databaseUrl })
      await client.connect()
      return client
    }),
    (client) => Effect.promise(() => client.end())
  )
  yield* Effect.promise(() => tellMemory(database, bufferMegabytes))
  const { gatewayUrl } = suite
  const { ADMIN_TOKEN: token, PHI_KEY: phiKey } = secrets
  return {
    /** A folder that is removed when the scope closes. */
    folder,
    port,
    gatewayUrl,
    token,
    admin,
    databaseUrl,
    database,
    ...organization,
    phiKey,
    webhookSecret: suite.secrets.PHARMACY_WEBHOOK_SECRET,
    schedulingSecret: suite.secrets.SCHEDULING_WEBHOOK_SECRET.split(",")[0] ?? "",
    eventSecret: suite.secrets.STRIPE_WEBHOOK_SECRET,
    // The stand-in for Stripe, where there is one.
    stripe: new StripeClient(secrets.STRIPE_SECRET_KEY, {
      host: "127.0.0.1",
      port: port + offsets.stripe,
      protocol: "http"
    })
  }
})
