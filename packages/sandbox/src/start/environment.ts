import { join } from "node:path"
import { answerLimits, rateLimits, rateLimitVariable } from "@care/domain/http/annotations"
import { peers, type ServiceName } from "@care/domain/peers"
import { fileVariable } from "@care/service-kit/boot"
import { Record } from "effect"
import { plainEnvironment } from "../plainEnvironment.ts"
import { demoFile } from "./demo.ts"
import { builtConsole, builtDocs } from "./keepBuilt.ts"
import { offsets, type StartSettings, urlOf } from "./StartSettings.ts"
import type { Secrets } from "./secrets.ts"

export type ProcessName = ServiceName | "gateway"

// A secret may come as a file.
const secret = (name: string): ReadonlyArray<string> => [name, fileVariable(name)]

const everywhere = ["NODE_ENV", "PORT", "HOST", ...secret("INTERNAL_SECRET"), "OTEL_EXPORTER_OTLP_ENDPOINT"]
const service = [
  ...everywhere,
  ...secret("DATABASE_URL"),
  "DATABASE_CONNECTIONS",
  "DATABASE_BACKGROUND_CONNECTIONS",
  "MIGRATE_AT_START",
  "DATABASE_POOLER",
  ...secret("READ_DATABASE_URL"),
  ...secret("PHI_KEY"),
  "AUDIT_OUTBOX_DIR",
  "ERASURE_LIST_DIR",
  "CELL",
  "QUOTA_KEPT_ANSWERS"
]

/** The variables that each process reads. It gets no others. */
export const variables: Readonly<Record<ProcessName, ReadonlyArray<string>>> = {
  gateway: [
    ...everywhere,
    ...secret("ADMIN_TOKEN"),
    ...secret("METRICS_TOKEN"),
    ...secret("CELLS"),
    "PUBLIC_URL",
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
    ...secret("REDIS_URL"),
    "REDIS_TIME_LIMIT",
    "CONSOLE_DIR",
    "DOCS_DIR",
    "DOCS_DEMO"
  ],
  auth: [
    ...service,
    ...secret("JWT_SECRET"),
    peers.cases.urlVariable,
    peers.payments.urlVariable,
    peers.scheduling.urlVariable,
    "GATEWAY_URL",
    "OTP_TTL",
    "OTP_MAX_ATTEMPTS",
    "OTP_RESEND_INTERVAL",
    "OTP_MAX_PER_HOUR",
    "OTP_MAX_PER_DAY",
    "OTP_MAX_WRONG_PER_DAY",
    "NOTICES_PER_DAY",
    "PUBLIC_URL",
    "STAFF_SESSION_LIFETIME",
    "STAFF_IDLE_TIME",
    rateLimitVariable(answerLimits.userLookup),
    ...secret("SMTP_URL"),
    ...secret("SMS_API_URL")
  ],
  cases: [
    ...service,
    "QUOTA_EVENTS",
    "QUOTA_DELIVERIES",
    "QUOTA_DOCUMENTS_MIB",
    peers.auth.urlVariable,
    peers.payments.urlVariable,
    peers.scheduling.urlVariable,
    "GATEWAY_URL",
    "PUBLIC_URL",
    "PHARMACY_API_URL",
    ...secret("PHARMACY_API_TOKEN"),
    ...secret("PHARMACY_WEBHOOK_SECRET"),
    "TEST_PHARMACY_API_URL",
    ...secret("TEST_PHARMACY_API_TOKEN"),
    ...secret("TEST_PHARMACY_WEBHOOK_SECRET")
  ],
  payments: [
    ...service,
    peers.auth.urlVariable,
    peers.cases.urlVariable,
    "GATEWAY_URL",
    rateLimitVariable(answerLimits.unknownPromoCodes),
    "STRIPE_API_URL",
    ...secret("STRIPE_SECRET_KEY"),
    ...secret("STRIPE_WEBHOOK_SECRET"),
    "TEST_STRIPE_API_URL",
    ...secret("TEST_STRIPE_SECRET_KEY"),
    ...secret("TEST_STRIPE_WEBHOOK_SECRET")
  ],
  scheduling: [
    ...service,
    peers.auth.urlVariable,
    peers.cases.urlVariable,
    "PUBLIC_URL",
    "REMINDER_BEFORE",
    ...secret("SCHEDULING_API_TOKEN"),
    "SCHEDULING_API_URL",
    ...secret("SCHEDULING_WEBHOOK_SECRET"),
    ...secret("TEST_SCHEDULING_API_TOKEN"),
    "TEST_SCHEDULING_API_URL",
    ...secret("TEST_SCHEDULING_WEBHOOK_SECRET")
  ]
}

// The role and the database are those of the service.
const onStandby = (databaseUrl: string, standbyUrl: string): string => {
  const changed = new URL(databaseUrl)
  changed.host = new URL(standbyUrl).host
  return changed.toString()
}

type Environment = Readonly<Record<string, string | undefined>>

/** Returns the environment of a process: its variables, given or generated. `ofCells` are those that only several cells need. */
export const environmentOf = (
  name: ProcessName,
  provided: Environment,
  settings: StartSettings,
  secrets: Secrets,
  databaseUrl: string | undefined,
  ofCells: Environment = {}
): Environment => {
  const all: Environment = {
    NODE_COMPILE_CACHE: join(settings.dataDirectory, "compile-cache"),
    AUDIT_OUTBOX_DIR: join(settings.dataDirectory, "audit"),
    ERASURE_LIST_DIR: join(settings.dataDirectory, "erasures"),
    [builtConsole.variable]: builtConsole.folder,
    [builtDocs.variable]: builtDocs.folder,
    ...(!settings.isProduction && { DOCS_DEMO: demoFile(settings.dataDirectory) }),
    ...provided,
    ...secrets,
    // `start` has read these files.
    ...Object.fromEntries(
      [...Record.keys(secrets), "DATABASE_URL", "READ_DATABASE_URL"].map((name) => [fileVariable(name), undefined])
    ),
    NODE_ENV: settings.isProduction ? "production" : "development",
    // HOST exposes only the gateway to other machines.
    HOST: name === "gateway" ? settings.host : "127.0.0.1",
    PORT: String(settings.port + offsets[name]),
    DATABASE_URL: databaseUrl,
    READ_DATABASE_URL: databaseUrl && settings.readDatabaseUrl && onStandby(databaseUrl, settings.readDatabaseUrl),
    ...Record.mapEntries(peers, ({ urlVariable }, name) => [
      urlVariable,
      `http://127.0.0.1:${settings.port + offsets[name]}`
    ]),
    PUBLIC_URL: settings.publicUrl,
    PHARMACY_API_URL: urlOf(settings, "pharmacy"),
    SCHEDULING_API_URL: urlOf(settings, "schedulingProvider"),
    STRIPE_API_URL: urlOf(settings, "stripe"),
    TEST_PHARMACY_API_URL: urlOf(settings, "testPharmacy"),
    TEST_SCHEDULING_API_URL: urlOf(settings, "testSchedulingProvider"),
    TEST_STRIPE_API_URL: urlOf(settings, "testStripe"),
    ...ofCells
  }
  return {
    ...plainEnvironment(all),
    ...Object.fromEntries(variables[name].map((variable) => [variable, all[variable]]))
  }
}
