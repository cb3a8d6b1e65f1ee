import { type ChildProcess, execFileSync, spawn } from "node:child_process"
import { join } from "node:path"
import { programIn } from "@care/build"
import { answerLimits, rateLimits, rateLimitVariable } from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import {
  environmentOf,
  findFreeBase,
  forEveryService,
  offsets,
  type ProcessName,
  provision,
  readSecrets,
  type StartSettings,
  services,
  type ThirdPartySecret
} from "@care/sandbox"
import { makeEmptyDatabase, temporaryFolder } from "@care/service-kit/testing"
import { runPharmacy, runScheduling, runStripe } from "@care/stand-ins"
import { Context, Effect, Layer, Record } from "effect"
import type { Contract } from "../../../operations/contracts.ts"
import { makeOwners } from "../makeOwners.ts"
import { pharmacyAt, Suite, schedulingProviderAt, stripeAt, urlsFrom } from "../Suite.ts"
import { until } from "../until.ts"
import { addRoles } from "./addRoles.ts"
import { twoVersions } from "./previousPrograms.ts"
import { runBalancer } from "./runBalancer.ts"

export type Version = "previous" | "next"

/** One of the two processes of a name. The place outlives its processes, as a pod of a StatefulSet has a name and a volume. */
export type Place = 0 | 1

/** Two processes of each name behind balancers, each of which can be replaced by one of the other version. */
export class Rolling extends Context.Service<
  Rolling,
  {
    /** Runs the migrations of the next version. */
    readonly migrate: Effect.Effect<void>
    /** Replaces a process as Kubernetes does: no new connections, SIGTERM, its end, then the next process until it is ready. */
    readonly replace: (name: ProcessName, place: Place, version: Version) => Effect.Effect<void>
    /** The contracts of the operations that both versions have. */
    readonly contracts: ReadonlyArray<Contract>
    /** The statuses of all answers so far, of the gateways and of each service. */
    readonly statuses: Readonly<Record<ProcessName, ReadonlyArray<number>>>
    /** The requests to the gateways and to each service whose connection broke before their answer. */
    readonly losses: Readonly<Record<ProcessName, ReadonlyArray<string>>>
  }
>()("@care/test/harness/rolling/Rolling") {}

// The start command's: a process ends with its parent.
const exitWithParent = join(import.meta.dirname, "../../../../packages/sandbox/src/start/exitWithParent.mjs")

const unlimited = Object.fromEntries(
  [...Object.values(rateLimits), ...Object.values(answerLimits)].map((rule) => [rateLimitVariable(rule), "1000000"])
)

const isReady = (port: number) =>
  Effect.promise(() =>
    fetch(`http://127.0.0.1:${port}/health/ready`, { headers: { connection: "close" } }).then(
      async (answer) => ((await answer.text()).includes('"ready"') ? answer.ok : false),
      () => false
    )
  )

/** Provides two instances of everything in the version before, with an empty database, and the means to replace each. */
export const layerRolling = Layer.effectContext(
  Effect.gen(function* () {
    const { contracts, programs } = yield* twoVersions
    const { url } = yield* makeEmptyDatabase
    const databaseUrls = forEveryService(url)
    const dataDirectory = yield* temporaryFolder()
    const port = yield* findFreeBase(Object.values(offsets))
    const settings: StartSettings = {
      port,
      host: "127.0.0.1",
      dataDirectory,
      databaseUrls,
      publicUrl: `http://127.0.0.1:${port}`,
      isProduction: false,
      isTerminal: false
    }
    const secrets = yield* readSecrets(dataDirectory, false)
    const { urls } = yield* provision(databaseUrls, secrets.INTERNAL_SECRET)
    const roleUrls = { previous: urls, next: yield* addRoles(url, urls) }
    const output: Array<string> = []

    const callback = (name: string, secret: string) => ({
      url: `${urlsFrom(port).gateway}/webhooks/${name}`,
      secret
    })
    // Sandboxes have stand-ins of their own.
    for (const isTest of [false, true]) {
      const [pharmacy, stripe, scheduling] = isTest
        ? (["testPharmacy", "testStripe", "testSchedulingProvider"] as const)
        : (["pharmacy", "stripe", "schedulingProvider"] as const)
      const secretOf = (name: ThirdPartySecret) => secrets[isTest ? (`TEST_${name}` as const) : name]
      yield* runPharmacy({
        port: port + offsets[pharmacy],
        accounts: [
          {
            token: secretOf("PHARMACY_API_TOKEN"),
            callback: callback("pharmacy", secretOf("PHARMACY_WEBHOOK_SECRET"))
          }
        ]
      })
      yield* runStripe({
        port: port + offsets[stripe],
        secretKey: secretOf("STRIPE_SECRET_KEY"),
        webhooks: [callback("stripe", secretOf("STRIPE_WEBHOOK_SECRET"))]
      })
      yield* runScheduling({
        port: port + offsets[scheduling],
        token: secretOf("SCHEDULING_API_TOKEN"),
        webhooks: [callback("scheduling", secretOf("SCHEDULING_WEBHOOK_SECRET"))],
        limit: 1_000_000
      })
    }
    // In the places of the processes, so that these call each other through them.
    const balancers = yield* Effect.all(Record.map(urlsFrom(port), (at) => runBalancer(Number(new URL(at).port))))

    const running = new Map<string, { readonly child: ChildProcess; readonly port: number }>()

    const start = Effect.fnUntraced(function* (name: ProcessName, place: Place, version: Version) {
      const own = yield* findFreeBase([0])
      const databaseUrl = name === "gateway" ? undefined : roleUrls[version][name]
      const provided = {
        ...process.env,
        ...unlimited,
        AUDIT_OUTBOX_DIR: join(dataDirectory, `audit-${place}`),
        // A version that does not know it migrates.
        MIGRATE_AT_START: version === "next" ? "false" : "true"
      }
      const environment = { ...environmentOf(name, provided, settings, secrets, databaseUrl), PORT: String(own) }
      const program = programIn(programs[version], name)
      const child = spawn(process.execPath, ["--import", exitWithParent, program], {
        env: environment,
        stdio: ["ignore", "pipe", "pipe", "ipc"]
      })
      for (const stream of [child.stdout, child.stderr]) {
        stream?.setEncoding("utf8").on("data", (text: string) => output.push(`${name} ${place} ${version} ${text}`))
      }
      running.set(`${name} ${place}`, { child, port: own })
      yield* until(
        Effect.suspend(() =>
          child.exitCode === null ? isReady(own) : Effect.die(new Error(`${name} does not start: ${output.slice(-5)}`))
        ),
        (ready) => ready
      )
      balancers[name].add(own)
    })

    const stop = Effect.fnUntraced(function* (name: ProcessName, place: Place) {
      const found = running.get(`${name} ${place}`)
      if (found === undefined) return yield* Effect.die(new Error(`There is no process ${name} ${place}`))
      balancers[name].drain(found.port)
      // Connections are accepted in their order: after this answer none waits that would be reset with the port.
      yield* Effect.promise(() =>
        fetch(`http://127.0.0.1:${found.port}/health/live`, { headers: { connection: "close" } })
      )
      const ended = Effect.callback<number | NodeJS.Signals | null>((resume) => {
        found.child.once("exit", (code, signal) => resume(Effect.succeed(signal ?? code)))
        found.child.kill("SIGTERM")
      })
      const how = yield* ended.pipe(Effect.timeout("15 seconds"), Effect.orDie)
      balancers[name].remove(found.port)
      // The exit code after an orderly stop by a signal; 1 would mean that requests or jobs were cut off.
      if (how !== 130) return yield* Effect.die(new Error(`${name} ended by ${how}: ${output.slice(-5)}`))
    })

    yield* Effect.addFinalizer(() =>
      Effect.sync(() => {
        for (const { child } of running.values()) child.kill("SIGKILL")
      })
    )
    for (const name of [...services, "gateway"] as const) {
      yield* start(name, 0, "previous")
      yield* start(name, 1, "previous")
    }

    const suite = Suite.of({
      urls: urlsFrom(port),
      databaseUrls,
      owners: yield* makeOwners(databaseUrls),
      secrets,
      pharmacyUrl: pharmacyAt(port),
      stripeUrl: stripeAt(port),
      schedulingProviderUrl: schedulingProviderAt(port),
      output
    })
    const migrationsUrls = Object.fromEntries(
      services.map((service: ServiceName) => [`MIGRATIONS_URL_${service.toUpperCase()}`, urls[service]])
    )
    const rolling = Rolling.of({
      migrate: Effect.sync(() => {
        execFileSync(process.execPath, [programIn(programs.next, "migrate")], { env: migrationsUrls })
      }),
      replace: (name, place, version) => Effect.orDie(Effect.andThen(stop(name, place), start(name, place, version))),
      contracts,
      statuses: Record.map(balancers, ({ statuses }) => statuses),
      losses: Record.map(balancers, ({ losses }) => losses)
    })
    return Context.make(Suite, suite).pipe(Context.add(Rolling, rolling))
  })
)
