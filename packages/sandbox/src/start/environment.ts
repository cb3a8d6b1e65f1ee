import { join } from "node:path"
import { plainEnvironment } from "../plainEnvironment.ts"
import type { Service } from "../provision.ts"
import { offsets, type StartSettings } from "./StartSettings.ts"
import type { Secrets } from "./secrets.ts"

/** The processes of the suite. */
export type ProcessName = Service | "gateway"

const everywhere = ["NODE_ENV", "PORT", "HOST", "INTERNAL_SECRET", "OTEL_EXPORTER_OTLP_ENDPOINT"]
const service = [...everywhere, "DATABASE_URL", "DATABASE_CONNECTIONS", "PHI_KEY"]

/** Every variable that a process reads. None is given to a process that does not read it, least of all a secret. */
export const variables: Readonly<Record<ProcessName, ReadonlyArray<string>>> = {
  gateway: [
    ...everywhere,
    "ADMIN_TOKEN",
    "AUTH_URL",
    "CASES_URL",
    "PAYMENTS_URL",
    "SCHEDULING_URL",
    "REQUESTS_AT_ONCE",
    "REQUEST_TIME_LIMIT",
    "BODY_MIN_RATE",
    "BODY_GRACE",
    "BODY_MEMORY_MIB",
    "MAX_CONNECTIONS",
    "IDLE_TIME_LIMIT",
    "RATE_LIMIT_USER_LOOKUP"
  ],
  auth: [
    ...service,
    "JWT_SECRET",
    "CASES_URL",
    "OTP_TTL",
    "OTP_MAX_ATTEMPTS",
    "OTP_RESEND_INTERVAL",
    "OTP_MAX_PER_HOUR",
    "OTP_MAX_PER_DAY",
    "OTP_MAX_WRONG_PER_DAY",
    "SMTP_URL",
    "SMS_API_URL"
  ],
  cases: [...service, "AUTH_URL", "PAYMENTS_URL", "SCHEDULING_URL", "PUBLIC_URL"],
  payments: service,
  scheduling: service
}

type Environment = Readonly<Record<string, string | undefined>>

/** The environment of one process: of what the start command has or makes up, what that process reads. */
export const environmentOf = (
  name: ProcessName,
  given: Environment,
  settings: StartSettings,
  secrets: Secrets,
  databaseUrl: string | undefined
): Environment => {
  const at = (offset: number) => `http://127.0.0.1:${settings.port + offset}`
  const all: Environment = {
    NODE_COMPILE_CACHE: join(settings.dataDirectory, "compile-cache"),
    ...given,
    ...secrets,
    NODE_ENV: settings.isProduction ? "production" : "development",
    // HOST opens the gateway to callers from elsewhere, and nothing behind it.
    HOST: name === "gateway" ? settings.host : "127.0.0.1",
    PORT: String(settings.port + offsets[name]),
    DATABASE_URL: databaseUrl,
    AUTH_URL: at(offsets.auth),
    CASES_URL: at(offsets.cases),
    PAYMENTS_URL: at(offsets.payments),
    SCHEDULING_URL: at(offsets.scheduling),
    PUBLIC_URL: settings.publicUrl
  }
  return {
    ...plainEnvironment(all),
    ...Object.fromEntries(variables[name].map((variable) => [variable, all[variable]]))
  }
}
