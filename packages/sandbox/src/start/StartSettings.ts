import { resolve } from "node:path"
import { gatewayPort, peers, type ServiceName } from "@care/domain/peers"
import {
  databaseUrlSetting,
  dataDirectorySetting,
  isProductionSetting,
  portSetting,
  publicUrlSetting,
  readSettings,
  urlSetting
} from "@care/service-kit/boot"
import { StartFailed } from "@care/stand-ins"
import { Config, Effect, Option, Record, Redacted } from "effect"

export interface StartSettings {
  readonly port: number
  /** The address that the gateway listens on; 127.0.0.1 reaches each of them, where start looks whether it is ready. */
  readonly host: string
  readonly dataDirectory: string
  readonly databaseUrl: string | undefined
  readonly publicUrl: string
  /** The pharmacy's, if there is one: the sandbox's is not started then. */
  readonly pharmacyUrl?: string | undefined
  /** Stripe's, if it is not the stand-in: that is not started then. */
  readonly stripeUrl?: string | undefined
  /** The scheduling provider's, if it is not the stand-in: that is not started then. */
  readonly schedulingUrl?: string | undefined
  readonly isProduction: boolean
  readonly isTerminal: boolean
  /** The file that a process runs; the repository's own when absent. */
  readonly programOf?: (name: ServiceName | "gateway") => string
  /** How long a process that ended waits at first before it is started again; a second when absent. */
  readonly restartMillis?: number
}

/** Offsets from `PORT`: where everything listens. */
export const offsets = {
  gateway: 0,
  ...Record.map(peers, ({ port }) => port - gatewayPort),
  stripe: 11,
  schedulingProvider: 12,
  pharmacy: 13,
  postgres: 20
}

export const highestPort = 65_535 - Math.max(...Object.values(offsets))

const config = Config.all({
  port: portSetting("PORT", highestPort).pipe(Config.withDefault(gatewayPort)),
  host: Config.Literals(["127.0.0.1", "0.0.0.0", "::"], "HOST").pipe(Config.withDefault("127.0.0.1")),
  dataDirectory: dataDirectorySetting,
  databaseUrl: Config.option(databaseUrlSetting("DATABASE_URL")),
  publicUrl: publicUrlSetting,
  pharmacyUrl: Config.option(urlSetting("PHARMACY_API_URL")),
  stripeUrl: Config.option(urlSetting("STRIPE_API_URL")),
  schedulingUrl: Config.option(urlSetting("SCHEDULING_API_URL")),
  isProduction: isProductionSetting
})

/** Reads the settings; what does not fit becomes a sentence. */
export const startSettings: Effect.Effect<StartSettings, StartFailed> = readSettings(config).pipe(
  Effect.map(({ databaseUrl, dataDirectory, pharmacyUrl, publicUrl, schedulingUrl, stripeUrl, ...settings }) => ({
    ...settings,
    dataDirectory: resolve(dataDirectory),
    databaseUrl: Option.getOrUndefined(Option.map(databaseUrl, Redacted.value)),
    pharmacyUrl: Option.getOrUndefined(pharmacyUrl),
    stripeUrl: Option.getOrUndefined(stripeUrl),
    schedulingUrl: Option.getOrUndefined(schedulingUrl),
    publicUrl: publicUrl ?? `http://localhost:${settings.port}`,
    isTerminal: process.stdout.isTTY === true
  })),
  Effect.mapError(({ message }) => new StartFailed({ message }))
)

/** Whether the pharmacy of the sandbox is the one that gets orders. */
export const hasOwnPharmacy = ({ isProduction, pharmacyUrl }: StartSettings): boolean =>
  pharmacyUrl === undefined && !isProduction

/** Whether the stand-in for Stripe is the one that takes payments. */
export const hasOwnStripe = ({ isProduction, stripeUrl }: StartSettings): boolean =>
  stripeUrl === undefined && !isProduction

/** Whether the stand-in for the scheduling provider is the one that takes bookings. */
export const hasOwnProvider = ({ isProduction, schedulingUrl }: StartSettings): boolean =>
  schedulingUrl === undefined && !isProduction
