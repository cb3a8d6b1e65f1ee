import { join, resolve } from "node:path"
import { gatewayPort, peers, type ServiceName } from "@care/domain/peers"
import {
  databaseUrl,
  dataDirectorySetting,
  isProductionSetting,
  optionalSecret,
  portSetting,
  publicUrlSetting,
  readSettings,
  urlSetting
} from "@care/service-kit/boot"
import { StartFailed, sandboxPorts } from "@care/stand-ins"
import { Config, Effect, Record, Redacted } from "effect"
import { databaseVariable } from "../provision.ts"

type DatabaseUrls = Readonly<Record<ServiceName, string | undefined>>

export interface StartSettings {
  readonly port: number
  /** The address that the gateway listens on. */
  readonly host: string
  readonly dataDirectory: string
  /** The owner's URL of each service's database; undefined for the embedded one. */
  readonly databaseUrls: DatabaseUrls
  /** The URL of a standby of these databases. */
  readonly readDatabaseUrl?: string | undefined
  readonly publicUrl: string
  /** The number of cells, by default one. */
  readonly cells?: number
  /** Returns the port from which the ports of a further cell follow, by default 100 for each cell after the first one's. */
  readonly portOfCell?: (index: number) => number
  /** The URLs of third parties. Without one, its stand-in is started. */
  readonly pharmacyUrl?: string | undefined
  readonly stripeUrl?: string | undefined
  readonly schedulingUrl?: string | undefined
  /** The same for sandboxes. */
  readonly testPharmacyUrl?: string | undefined
  readonly testStripeUrl?: string | undefined
  readonly testSchedulingUrl?: string | undefined
  readonly isProduction: boolean
  readonly isTerminal: boolean
  /** Returns the program of a process, by default the repository's own. */
  readonly programOf?: (name: ServiceName | "gateway") => string
  /** The wait before an ended process is restarted, by default a second. */
  readonly restartMillis?: number
}

/** The ports of all parts, as offsets from `PORT`. */
export const offsets = {
  gateway: 0,
  ...Record.map(peers, ({ port }) => port - gatewayPort),
  stripe: 11,
  schedulingProvider: 12,
  pharmacy: 13,
  testStripe: sandboxPorts.stripe - gatewayPort,
  testSchedulingProvider: sandboxPorts.scheduling - gatewayPort,
  testPharmacy: sandboxPorts.pharmacy - gatewayPort,
  postgres: 20
}

export const highestPort = 65_535 - Math.max(...Object.values(offsets))

const optional = <A>(setting: Config.Config<A>) => Config.withDefault(setting, undefined)

/** The settings of the services' own databases. */
export const databaseUrlSettings = Record.map(peers, (_, service) =>
  optionalSecret(
    databaseUrl,
    databaseVariable(service),
    `the database of ${service}, if it has one of its own instead of \`DATABASE_URL\``
  )
)

const config = Config.all({
  port: portSetting("PORT", highestPort).pipe(Config.withDefault(gatewayPort)),
  host: Config.Literals(["127.0.0.1", "0.0.0.0", "::"], "HOST").pipe(Config.withDefault("127.0.0.1")),
  dataDirectory: dataDirectorySetting,
  databaseUrl: optional(databaseUrl("DATABASE_URL")),
  ownDatabaseUrls: Config.all(databaseUrlSettings),
  readDatabaseUrl: optional(databaseUrl("READ_DATABASE_URL")),
  publicUrl: publicUrlSetting,
  pharmacyUrl: optional(urlSetting("PHARMACY_API_URL")),
  stripeUrl: optional(urlSetting("STRIPE_API_URL")),
  schedulingUrl: optional(urlSetting("SCHEDULING_API_URL")),
  testPharmacyUrl: optional(urlSetting("TEST_PHARMACY_API_URL")),
  testStripeUrl: optional(urlSetting("TEST_STRIPE_API_URL")),
  testSchedulingUrl: optional(urlSetting("TEST_SCHEDULING_API_URL")),
  isProduction: isProductionSetting
})

/** Reads the settings, or fails with a sentence about the first invalid one. */
export const startSettings: Effect.Effect<StartSettings, StartFailed> = readSettings(config).pipe(
  Effect.map(({ databaseUrl, dataDirectory, ownDatabaseUrls, publicUrl, readDatabaseUrl, ...settings }) => ({
    ...settings,
    dataDirectory: resolve(dataDirectory),
    databaseUrls: Record.map(ownDatabaseUrls, (own) => {
      const url = own ?? databaseUrl
      return url && Redacted.value(url)
    }),
    readDatabaseUrl: readDatabaseUrl && Redacted.value(readDatabaseUrl),
    publicUrl: publicUrl ?? `http://localhost:${settings.port}`,
    isTerminal: process.stdout.isTTY === true
  })),
  Effect.mapError(({ message }) => new StartFailed({ message }))
)

const maxCells = 9

/** Reads the number of cells from the arguments of the start command: `--cells 2`. */
export const readCellCount = (args: ReadonlyArray<string>): Effect.Effect<number, StartFailed> => {
  const [flag, count = "", ...others] = args.flatMap((argument) => argument.split("=")).filter((word) => word !== "--")
  if (flag === undefined) return Effect.succeed(1)
  return flag === "--cells" && others.length === 0 && /^[1-9]$/.test(count)
    ? Effect.succeed(Number(count))
    : new StartFailed({ message: `start takes --cells with a number from 1 to ${maxCells}, such as --cells 2.` })
}

/** A cell that the start command runs. Its settings have its ports and its folder. */
export interface StartCell {
  readonly name: string
  readonly settings: StartSettings
}

/** Returns the cells after the first. Each has an embedded database and its own secrets, and the third parties of the first. */
export const furtherCells = (settings: StartSettings): ReadonlyArray<StartCell> => {
  const { cells = 1, dataDirectory, port, portOfCell = (index) => port + 100 * index } = settings
  return Array.from({ length: cells - 1 }, (_, at) => {
    const name = `c${at + 2}`
    return {
      name,
      settings: {
        ...settings,
        port: portOfCell(at + 1),
        dataDirectory: join(dataDirectory, name),
        databaseUrls: Record.map(peers, () => undefined),
        readDatabaseUrl: undefined,
        pharmacyUrl: urlOf(settings, "pharmacy"),
        stripeUrl: urlOf(settings, "stripe"),
        schedulingUrl: urlOf(settings, "schedulingProvider"),
        testPharmacyUrl: urlOf(settings, "testPharmacy"),
        testStripeUrl: urlOf(settings, "testStripe"),
        testSchedulingUrl: urlOf(settings, "testSchedulingProvider")
      }
    }
  })
}

/** Fails if the cells have no ports, or are to run in production, where each is deployed by itself. */
export const checkCells = (settings: StartSettings): Effect.Effect<void, StartFailed> => {
  const { cells = 1, isProduction, port } = settings
  const highest = highestPort - 100 * (cells - 1)
  if (port > highest) return new StartFailed({ message: `PORT has to be at most ${highest} for ${cells} cells.` })
  return cells > 1 && isProduction
    ? new StartFailed({ message: "--cells is for development: in production start each cell by itself (CELL)." })
    : Effect.void
}

/** Returns whether no service needs the embedded database. */
export const areAllGiven = (urls: DatabaseUrls): urls is Readonly<Record<ServiceName, string>> =>
  Object.values(urls).every((url) => url !== undefined)

const urlSettings = {
  pharmacy: "pharmacyUrl",
  stripe: "stripeUrl",
  schedulingProvider: "schedulingUrl",
  testPharmacy: "testPharmacyUrl",
  testStripe: "testStripeUrl",
  testSchedulingProvider: "testSchedulingUrl"
} as const
export type StandInName = keyof typeof urlSettings

/** The third parties that the start command has stand-ins for: of live organizations, and of their sandboxes. */
export const standIns = Record.keys(urlSettings)

/** Returns whether the stand-in for a third party is started: without its URL, and never in production. */
export const hasStandIn = (settings: StartSettings, name: StandInName): boolean =>
  settings[urlSettings[name]] === undefined && !settings.isProduction

/** Returns the URL of a third party or its stand-in. */
export const urlOf = (settings: StartSettings, name: StandInName): string | undefined =>
  hasStandIn(settings, name) ? `http://127.0.0.1:${settings.port + offsets[name]}` : settings[urlSettings[name]]
