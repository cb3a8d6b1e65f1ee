import { randomBytes } from "node:crypto"
import { format } from "node:util"
import { AuthService } from "@care/auth"
import { CasesService } from "@care/cases"
import { GatewayService } from "@care/gateway"
import { PaymentsService } from "@care/payments"
import { environmentOf, findFreeBase, offsets, type ProcessName, type Secrets } from "@care/sandbox"
import { SchedulingService } from "@care/scheduling"
import { makeTestDatabase, temporaryFolder } from "@care/service-kit/testing"
import { runPharmacy, runScheduling, runStripe } from "@care/stand-ins"
import { Clock, ConfigProvider, Console, Context, Effect, Layer, ManagedRuntime, Metric } from "effect"
import { inject } from "vitest"
import { makeOwners } from "./makeOwners.ts"
import { SuiteTime } from "./SuiteTime.ts"
import { checkWalls } from "./statements.ts"

/** The processes of the suite, each as the layer that its `main.ts` launches. */
export const processes = {
  gateway: GatewayService,
  auth: AuthService,
  cases: CasesService,
  payments: PaymentsService,
  scheduling: SchedulingService
} satisfies Record<ProcessName, Layer.Layer<never, unknown>>

/** The names of the suite's processes. */
export const processNames: ReadonlyArray<ProcessName> = ["gateway", "auth", "cases", "payments", "scheduling"]

const secrets: Secrets = {
  ADMIN_TOKEN: randomBytes(32).toString("base64url"),
  INTERNAL_SECRET: randomBytes(32).toString("base64url"),
  JWT_SECRET: randomBytes(64).toString("base64url"),
  PHI_KEY: `k1:${randomBytes(32).toString("base64")}`,
  PHARMACY_API_TOKEN: randomBytes(32).toString("base64url"),
  PHARMACY_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
  SCHEDULING_API_TOKEN: randomBytes(32).toString("base64url"),
  SCHEDULING_WEBHOOK_SECRET: randomBytes(32).toString("hex"),
  STRIPE_SECRET_KEY: `sk_test_${randomBytes(32).toString("hex")}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("hex")}`,
  POSTGRES_PASSWORD: ""
}

/** Where each process of a suite listens. */
export const urlsFrom = (port: number): Readonly<Record<ProcessName, string>> => {
  const at = (name: ProcessName) => `http://127.0.0.1:${port + offsets[name]}`
  return {
    gateway: at("gateway"),
    auth: at("auth"),
    cases: at("cases"),
    payments: at("payments"),
    scheduling: at("scheduling")
  }
}

/** Where the pharmacy of the sandbox listens. */
export const pharmacyAt = (port: number): string => `http://127.0.0.1:${port + offsets.pharmacy}`

/** Where the stand-in for the scheduling provider listens. */
export const schedulingProviderAt = (port: number): string => `http://127.0.0.1:${port + offsets.schedulingProvider}`

/** Where the stand-in for Stripe listens. */
export const stripeAt = (port: number): string => `http://127.0.0.1:${port + offsets.stripe}`

// What a process would write, line by line.
const consoleInto = (output: Array<string>, name: ProcessName): Console.Console => {
  const write = (...values: ReadonlyArray<unknown>) => output.push(`${name} ${format(...values)}`)
  return Object.assign(Object.create(console), { log: write, error: write, warn: write, info: write, debug: write })
}

/**
 * The whole suite behind its gateway: in the process of the test, unless the test is about processes (`layerProcesses`). At
 * its end the statements that the database saw are held against the walls between organizations.
 */
export class Suite extends Context.Service<
  Suite,
  {
    readonly urls: Readonly<Record<ProcessName, string>>
    /** URL of the database's owner. */
    readonly databaseUrl: string
    /** Clients of the database's owner. */
    readonly owners: Effect.Success<ReturnType<typeof makeOwners>>
    readonly secrets: Secrets
    /** Where the pharmacy of the sandbox is. */
    readonly pharmacyUrl: string
    /** Where the stand-in for Stripe is. */
    readonly stripeUrl: string
    /** Where the stand-in for the scheduling provider is. */
    readonly schedulingProviderUrl: string
    /** What the processes wrote so far. */
    readonly output: ReadonlyArray<string>
  }
>()("@care/test/harness/Suite") {
  /**
   * All five in this process, each built from the environment that the start command would give it, with a registry of
   * metrics, an output and a role in the database of its own. They call each other over HTTP.
   */
  private static readonly make = Effect.fnUntraced(function* (
    given: Readonly<Record<string, string>>,
    without: ReadonlyArray<string>
  ) {
    const { url, urls } = yield* makeTestDatabase
    const port = yield* findFreeBase(Object.values(offsets))
    const settings = {
      port,
      host: "127.0.0.1",
      dataDirectory: yield* temporaryFolder(0o755, inject("runFolder")),
      databaseUrl: url,
      publicUrl: `http://127.0.0.1:${port}`,
      isProduction: false,
      isTerminal: false
    }
    const output: Array<string> = []
    const time = yield* SuiteTime.make
    yield* runPharmacy({
      port: port + offsets.pharmacy,
      token: secrets.PHARMACY_API_TOKEN,
      callback: { url: `${urlsFrom(port).gateway}/webhooks/pharmacy`, secret: secrets.PHARMACY_WEBHOOK_SECRET }
    })
    yield* runStripe({
      port: port + offsets.stripe,
      secretKey: secrets.STRIPE_SECRET_KEY,
      webhook: { url: `${urlsFrom(port).gateway}/webhooks/stripe`, secret: secrets.STRIPE_WEBHOOK_SECRET }
    }).pipe(Effect.provideService(Clock.Clock, time.clock))
    yield* runScheduling({
      port: port + offsets.schedulingProvider,
      token: secrets.SCHEDULING_API_TOKEN,
      webhook: { url: `${urlsFrom(port).gateway}/webhooks/scheduling`, secret: secrets.SCHEDULING_WEBHOOK_SECRET },
      // Tests that are about its limit ask for it.
      limit: 1_000_000
    }).pipe(Effect.provideService(Clock.Clock, time.clock))

    const run = (name: ProcessName) => {
      const databaseUrl = name === "gateway" ? undefined : urls[name]
      const environment = { ...environmentOf(name, given, settings, secrets, databaseUrl) }
      for (const variable of without) delete environment[variable]
      // Layers are memoized by reference: what two services share would be built once.
      return Layer.build(Layer.fresh(processes[name])).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
        Effect.provideService(Clock.Clock, time.clock),
        Effect.provideService(Metric.MetricRegistry, new Map()),
        Effect.provideService(Console.Console, consoleInto(output, name))
      )
    }
    yield* Effect.forEach(processNames, run, { concurrency: "unbounded", discard: true })
    const owners = yield* makeOwners(url)
    yield* Effect.addFinalizer(() => checkWalls(url))
    const suite = Suite.of({
      urls: urlsFrom(port),
      databaseUrl: url,
      owners,
      secrets,
      pharmacyUrl: pharmacyAt(port),
      stripeUrl: stripeAt(port),
      schedulingProviderUrl: schedulingProviderAt(port),
      output
    })
    return Context.make(Suite, suite).pipe(Context.add(SuiteTime, time))
  })

  /** The suite in this process, where the environment of the start command has what is given, and not what it is to be without. */
  static readonly layerWith = (given: Readonly<Record<string, string>>, without: ReadonlyArray<string> = []) =>
    Layer.effectContext(Suite.make(given, without))

  static readonly layer = Suite.layerWith({})

  // It ends with its process, which has a connection to a database that ends with the run.
  private static readonly ofProcess = ManagedRuntime.make(Suite.layer)

  /**
   * One suite for all the files of this process that leave its time, its stand-ins and its jobs alone, and look at nothing but
   * what is of their own organizations: to start one costs as much as a dozen tests.
   */
  static readonly shared = Layer.effect(
    Suite,
    Effect.gen(function* () {
      const suite = Context.get(yield* Suite.ofProcess.contextEffect, Suite)
      yield* Effect.addFinalizer(() => checkWalls(suite.databaseUrl))
      return suite
    })
  )
}
