import { randomBytes } from "node:crypto"
import { format } from "node:util"
import { AuthService } from "@care/auth"
import { CasesService } from "@care/cases"
import type { ServiceName } from "@care/domain/peers"
import { GatewayService } from "@care/gateway"
import { PaymentsService } from "@care/payments"
import {
  environmentOf,
  findFreeBase,
  offsets,
  type ProcessName,
  type Secrets,
  type ThirdPartySecret
} from "@care/sandbox"
import { SchedulingService } from "@care/scheduling"
import { makeSuiteDatabases, temporaryFolder } from "@care/service-kit/testing"
import { runPharmacy, runScheduling, runStripe } from "@care/stand-ins"
import { Clock, ConfigProvider, Console, Context, Effect, Layer, ManagedRuntime, Metric } from "effect"
import { inject } from "vitest"
import { AtOnceLimit } from "../../../packages/jobs/src/makeOfferAtOnce.ts"
import { makeOwners } from "./makeOwners.ts"
import { SuiteTime } from "./SuiteTime.ts"
import { checkStatements } from "./statements.ts"

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

/** Makes all secrets of a suite. */
export const makeSecrets = (phiKeyId: string): Secrets => ({
  ADMIN_TOKEN: randomBytes(32).toString("base64url"),
  INTERNAL_SECRET: randomBytes(32).toString("base64url"),
  JWT_SECRET: randomBytes(64).toString("base64url"),
  PHI_KEY: `${phiKeyId}:${randomBytes(32).toString("base64")}`,
  PHARMACY_API_TOKEN: randomBytes(32).toString("base64url"),
  PHARMACY_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
  SCHEDULING_API_TOKEN: randomBytes(32).toString("base64url"),
  SCHEDULING_WEBHOOK_SECRET: randomBytes(32).toString("hex"),
  STRIPE_SECRET_KEY: `sk_test_${randomBytes(32).toString("hex")}`,
  STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("hex")}`,
  TEST_PHARMACY_API_TOKEN: randomBytes(32).toString("base64url"),
  TEST_PHARMACY_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("base64")}`,
  TEST_SCHEDULING_API_TOKEN: randomBytes(32).toString("base64url"),
  TEST_SCHEDULING_WEBHOOK_SECRET: randomBytes(32).toString("hex"),
  TEST_STRIPE_SECRET_KEY: `sk_test_${randomBytes(32).toString("hex")}`,
  TEST_STRIPE_WEBHOOK_SECRET: `whsec_${randomBytes(32).toString("hex")}`,
  POSTGRES_PASSWORD: ""
})

const commonSecrets = makeSecrets("k1")

/** Makes the secrets of a further cell, which has the accounts at Stripe and the scheduling provider in common with the first. */
export const makeSecretsOfCell = (phiKeyId: string): Secrets => {
  const { SCHEDULING_API_TOKEN, STRIPE_SECRET_KEY, TEST_SCHEDULING_API_TOKEN, TEST_STRIPE_SECRET_KEY } = commonSecrets
  const ofLive = { SCHEDULING_API_TOKEN, STRIPE_SECRET_KEY }
  return { ...makeSecrets(phiKeyId), ...ofLive, TEST_SCHEDULING_API_TOKEN, TEST_STRIPE_SECRET_KEY }
}

/** What is otherwise made up for a suite. */
interface SuiteOptions {
  readonly port?: number
  readonly secrets?: Secrets
  /** Those of the gateway, if they are others. */
  readonly gatewaySecrets?: Secrets
  /** The secrets of further cells, to which the stand-ins send their events as well. */
  readonly furtherCells?: Readonly<Record<string, Secrets>>
  /** The variables of services that are called at another address than their own, such as that of a proxy. */
  readonly peerUrls?: Readonly<Record<string, string>>
}

/** Returns the URL of each process of a suite. */
export const urlsFrom = (port: number): Readonly<Record<ProcessName, string>> => {
  const urlOf = (name: ProcessName) => `http://127.0.0.1:${port + offsets[name]}`
  return {
    gateway: urlOf("gateway"),
    auth: urlOf("auth"),
    cases: urlOf("cases"),
    payments: urlOf("payments"),
    scheduling: urlOf("scheduling")
  }
}

/** Returns the URL of the pharmacy stand-in. */
export const pharmacyAt = (port: number): string => `http://127.0.0.1:${port + offsets.pharmacy}`

/** Returns the URL of the scheduling stand-in. */
export const schedulingProviderAt = (port: number): string => `http://127.0.0.1:${port + offsets.schedulingProvider}`

/** Returns the URL of the Stripe stand-in. */
export const stripeAt = (port: number): string => `http://127.0.0.1:${port + offsets.stripe}`

/** Returns the URLs of the stand-ins for sandboxes. */
export const testStandInsAt = (port: number) => ({
  pharmacy: `http://127.0.0.1:${port + offsets.testPharmacy}`,
  scheduling: `http://127.0.0.1:${port + offsets.testSchedulingProvider}`,
  stripe: `http://127.0.0.1:${port + offsets.testStripe}`
})

/** Makes a console that collects the lines of a process. */
export const consoleInto = (output: Array<string>, name: ProcessName): Console.Console => {
  const write = (...values: ReadonlyArray<unknown>) => output.push(`${name} ${format(...values)}`)
  return Object.assign(Object.create(console), { log: write, error: write, warn: write, info: write, debug: write })
}

/**
 * All services behind the gateway, in the process of the test or, with `layerProcesses`, as processes. When the suite ends, every statement
 * that the database saw is checked (`checkStatements`).
 */
export class Suite extends Context.Service<
  Suite,
  {
    readonly urls: Readonly<Record<ProcessName, string>>
    /** The URL of each service's database, with its owner's credentials. */
    readonly databaseUrls: Readonly<Record<ServiceName, string>>
    /** Clients that are connected as the owners of the services' databases. */
    readonly owners: Effect.Success<ReturnType<typeof makeOwners>>
    readonly secrets: Secrets
    /** The URL of the pharmacy stand-in. */
    readonly pharmacyUrl: string
    /** The URL of the Stripe stand-in. */
    readonly stripeUrl: string
    /** The URL of the scheduling stand-in. */
    readonly schedulingProviderUrl: string
    /** The lines that the processes have written so far. */
    readonly output: ReadonlyArray<string>
  }
>()("@care/test/harness/Suite") {
  /**
   * Runs all five services in this process. Each is built from the environment that the start command would give it, and has its own
   * metrics, output and database role. They call each other over HTTP.
   */
  static readonly make = Effect.fnUntraced(function* (
    overrides: Readonly<Record<string, string>>,
    omitted: ReadonlyArray<string> = [],
    {
      furtherCells = {},
      peerUrls = {},
      port: fixedPort,
      secrets = commonSecrets,
      gatewaySecrets = secrets
    }: SuiteOptions = {}
  ) {
    const { ownerUrls, urls } = yield* makeSuiteDatabases
    const port = fixedPort ?? (yield* findFreeBase(Object.values(offsets)))
    const settings = {
      port,
      host: "127.0.0.1",
      dataDirectory: yield* temporaryFolder(0o755, inject("runFolder")),
      databaseUrls: ownerUrls,
      publicUrl: overrides["PUBLIC_URL"] ?? `http://127.0.0.1:${port}`,
      pharmacyUrl: overrides["PHARMACY_API_URL"],
      stripeUrl: overrides["STRIPE_API_URL"],
      schedulingUrl: overrides["SCHEDULING_API_URL"],
      testPharmacyUrl: overrides["TEST_PHARMACY_API_URL"],
      testStripeUrl: overrides["TEST_STRIPE_API_URL"],
      testSchedulingUrl: overrides["TEST_SCHEDULING_API_URL"],
      isProduction: false,
      isTerminal: false
    }
    const output: Array<string> = []
    const time = yield* SuiteTime.make
    const webhooksOf = (name: string, secretOf: (secrets: Secrets) => string) => [
      { url: `${urlsFrom(port).gateway}/webhooks/${name}`, secret: secretOf(secrets) },
      ...Object.entries(furtherCells).map(([cell, own]) => ({
        url: `${urlsFrom(port).gateway}/webhooks/${name}/${cell}`,
        secret: secretOf(own)
      }))
    ]
    // Sandboxes have stand-ins of their own.
    for (const isTest of [false, true]) {
      const [pharmacy, stripe, scheduling] = isTest
        ? (["testPharmacy", "testStripe", "testSchedulingProvider"] as const)
        : (["pharmacy", "stripe", "schedulingProvider"] as const)
      const secretOf = (name: ThirdPartySecret) => (isTest ? (`TEST_${name}` as const) : name)
      const callbackSecret = secretOf("PHARMACY_WEBHOOK_SECRET")
      yield* runPharmacy({
        port: port + offsets[pharmacy],
        accounts: [
          {
            token: secrets[secretOf("PHARMACY_API_TOKEN")],
            callback: { url: `${urlsFrom(port).gateway}/webhooks/pharmacy`, secret: secrets[callbackSecret] }
          }
        ]
      })
      yield* runStripe({
        port: port + offsets[stripe],
        secretKey: secrets[secretOf("STRIPE_SECRET_KEY")],
        webhooks: webhooksOf("stripe", (all) => all[secretOf("STRIPE_WEBHOOK_SECRET")])
      }).pipe(Effect.provideService(Clock.Clock, time.clock))
      yield* runScheduling({
        port: port + offsets[scheduling],
        token: secrets[secretOf("SCHEDULING_API_TOKEN")],
        webhooks: webhooksOf("scheduling", (all) => all[secretOf("SCHEDULING_WEBHOOK_SECRET")]),
        // Tests of the rate limit set a lower one.
        limit: 1_000_000
      }).pipe(Effect.provideService(Clock.Clock, time.clock))
    }

    const run = (name: ProcessName) => {
      const databaseUrl = name === "gateway" ? undefined : urls[name]
      const provided = { DATABASE_POOLER: inject("pooler")?.setting, ...overrides }
      const environment = {
        ...environmentOf(name, provided, settings, name === "gateway" ? gatewaySecrets : secrets, databaseUrl),
        ...peerUrls
      }
      for (const variable of omitted) delete environment[variable]
      // Fresh, because layers are memoized by reference: one that two services share would be built only once.
      return Layer.build(Layer.fresh(processes[name])).pipe(
        Effect.provideService(ConfigProvider.ConfigProvider, ConfigProvider.fromEnvRecord(environment)),
        Effect.provideService(Clock.Clock, time.clock),
        Effect.provideService(AtOnceLimit, "10 seconds"),
        Effect.provideService(Metric.MetricRegistry, new Map()),
        Effect.provideService(Console.Console, consoleInto(output, name))
      )
    }
    yield* Effect.forEach(processNames, run, { concurrency: "unbounded", discard: true })
    const owners = yield* makeOwners(ownerUrls)
    yield* Effect.addFinalizer(() => checkStatements(ownerUrls))
    const suite = Suite.of({
      urls: urlsFrom(port),
      databaseUrls: ownerUrls,
      owners,
      secrets,
      pharmacyUrl: settings.pharmacyUrl ?? pharmacyAt(port),
      stripeUrl: settings.stripeUrl ?? stripeAt(port),
      schedulingProviderUrl: settings.schedulingUrl ?? schedulingProviderAt(port),
      output
    })
    return Context.make(Suite, suite).pipe(Context.add(SuiteTime, time))
  })

  /** Provides the suite in this process, with some variables of the environment replaced and others omitted. */
  static readonly layerWith = (overrides: Readonly<Record<string, string>>, omitted: ReadonlyArray<string> = []) =>
    Layer.effectContext(Suite.make(overrides, omitted))

  static readonly layer = Suite.layerWith({})

  // Never disposed: it ends with the process, and its database with the run.
  private static readonly processRuntime = ManagedRuntime.make(Suite.layer)

  /**
   * Provides one suite for all test files of this process, because starting one costs as much as a dozen tests. Its users must not change
   * the time, the stand-ins or the jobs, and only look at data of their own organizations.
   */
  static readonly shared = Layer.effect(
    Suite,
    Effect.gen(function* () {
      const suite = Context.get(yield* Suite.processRuntime.contextEffect, Suite)
      yield* Effect.addFinalizer(() => checkStatements(suite.databaseUrls))
      return suite
    })
  )
}
