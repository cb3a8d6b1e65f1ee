import { join } from "node:path"
import { answerLimits, rateLimits, rateLimitVariable } from "@care/domain/http/annotations"
import { peers, type ServiceName } from "@care/domain/peers"
import { Record } from "effect"
import { plainEnvironment } from "../plainEnvironment.ts"
import { offsets, type StartSettings, urlOf } from "./StartSettings.ts"
import type { Secrets } from "./secrets.ts"

export type ProcessName = ServiceName | "gateway"

const everywhere = ["NODE_ENV", "PORT", "HOST", "INTERNAL_SECRET", "OTEL_EXPORTER_OTLP_ENDPOINT"]
const service = [
  ...everywhere,
  "DATABASE_URL",
  "DATABASE_CONNECTIONS",
  "DATABASE_BACKGROUND_CONNECTIONS",
  "PHI_KEY",
  "AUDIT_OUTBOX_DIR",
  "QUOTA_KEPT_ANSWERS"
]

/** The variables that each process reads. It gets no others. */
export const variables: Readonly<Record<ProcessName, ReadonlyArray<string>>> = {
  gateway: [
    ...everywhere,
    "ADMIN_TOKEN",
    ...Object.values(peers).map(({ urlVariable }) => urlVariable),
    "REQUESTS_AT_ONCE",
    "REQUEST_TIME_LIMIT",
    "BODY_MIN_RATE",
    "BODY_GRACE",
    "BODY_MEMORY_MIB",
    "MAX_CONNECTIONS",
    "IDLE_TIME_LIMIT",
    "TRUSTED_PROXIES",
    ...Object.values(rateLimits).map(rateLimitVariable),
    "REDIS_URL",
    "REDIS_TIME_LIMIT"
  ],
  auth: [
    ...service,
    "JWT_SECRET",
    peers.cases.urlVariable,
    peers.payments.urlVariable,
    peers.scheduling.urlVariable,
    "OTP_TTL",
    "OTP_MAX_ATTEMPTS",
    "OTP_RESEND_INTERVAL",
    "OTP_MAX_PER_HOUR",
    "OTP_MAX_PER_DAY",
    "OTP_MAX_WRONG_PER_DAY",
    "NOTICES_PER_DAY",
    rateLimitVariable(answerLimits.userLookup),
    "SMTP_URL",
    "SMS_API_URL"
  ],
  cases: [
    ...service,
    "QUOTA_EVENTS",
    "QUOTA_DELIVERIES",
    "QUOTA_DOCUMENTS_MIB",
    peers.auth.urlVariable,
    peers.payments.urlVariable,
    peers.scheduling.urlVariable,
    "PUBLIC_URL",
    "PHARMACY_API_URL",
    "PHARMACY_API_TOKEN",
    "PHARMACY_WEBHOOK_SECRET"
  ],
  payments: [
    ...service,
    peers.auth.urlVariable,
    peers.cases.urlVariable,
    rateLimitVariable(answerLimits.unknownPromoCodes),
    "STRIPE_API_URL",
    "STRIPE_SECRET_KEY",
    "STRIPE_WEBHOOK_SECRET"
  ],
  scheduling: [
    ...service,
    peers.auth.urlVariable,
    peers.cases.urlVariable,
    "PUBLIC_URL",
    "REMINDER_BEFORE",
    "SCHEDULING_API_TOKEN",
    "SCHEDULING_API_URL",
    "SCHEDULING_WEBHOOK_SECRET"
  ]
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment of a process: its variables, given or generated. */
export const environmentOf = (
  name: ProcessName,
  provided: Environment,
  settings: StartSettings,
  secrets: Secrets,
  databaseUrl: string | undefined
): Environment => {
  const all: Environment = {
    NODE_COMPILE_CACHE: join(settings.dataDirectory, "compile-cache"),
    AUDIT_OUTBOX_DIR: join(settings.dataDirectory, "audit"),
    ...provided,
    ...secrets,
    NODE_ENV: settings.isProduction ? "production" : "development",
    // HOST exposes only the gateway to other machines.
    HOST: name === "gateway" ? settings.host : "127.0.0.1",
    PORT: String(settings.port + offsets[name]),
    DATABASE_URL: databaseUrl,
    ...Record.mapEntries(peers, ({ urlVariable }, name) => [
      urlVariable,
      `http://127.0.0.1:${settings.port + offsets[name]}`
    ]),
    PUBLIC_URL: settings.publicUrl,
    PHARMACY_API_URL: urlOf(settings, "pharmacy"),
    SCHEDULING_API_URL: urlOf(settings, "schedulingProvider"),
    STRIPE_API_URL: urlOf(settings, "stripe")
  }
  return {
    ...plainEnvironment(all),
    ...Object.fromEntries(variables[name].map((variable) => [variable, all[variable]]))
  }
}
