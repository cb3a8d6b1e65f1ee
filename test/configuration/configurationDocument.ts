import { answerLimits, quotas } from "@care/domain/http"
import { peers } from "@care/domain/peers"
import { migrationSettings } from "@care/migrate"
import { databaseUrlSettings, type ProcessName, variables } from "@care/sandbox"
import {
  cellSetting,
  databaseSettings,
  dataDirectorySetting,
  otherCellsUrlSetting,
  peerUrl,
  processSettings,
  publicUrlSetting,
  quotaSetting,
  rateLimitSetting,
  type SettingDoc
} from "@care/service-kit"
import { Record } from "effect"
import { outboxFolderSetting } from "../../packages/audit/src/layerAudit.ts"
import { gatewayUrlSetting } from "../../packages/cli/src/gateway.ts"
import { cellDatabasesSetting } from "../../packages/cli/src/move/cellDatabasesSetting.ts"
import { apiKeySetting } from "../../packages/cli/src/PartnerClient.ts"
import { configHomeSetting } from "../../packages/cli/src/storedSessions.ts"
import { phiKeySetting } from "../../packages/phi/src/cipher/PhiCipher.ts"
import { erasureListSetting } from "../../packages/phi/src/erasure/ErasureList.ts"
import { authSettings } from "../../services/auth/src/AuthSettings.ts"
import { jwtSecretSetting } from "../../services/auth/src/jwtSecrets.ts"
import { pharmacySettings, testPharmacySettings } from "../../services/cases/src/orders/pharmacy/PharmacySettings.ts"
import { gatewaySettings } from "../../services/gateway/src/GatewaySettings.ts"
import { stripeSettings, testStripeSettings } from "../../services/payments/src/stripe/StripeSettings.ts"
import { reminderSetting } from "../../services/scheduling/src/bookings/reminders/ReminderSettings.ts"
import { providerSettings, testProviderSettings } from "../../services/scheduling/src/provider/ProviderSettings.ts"
import { tableOf } from "./tableOf.ts"

interface Declared {
  readonly doc: SettingDoc
}

const everywhere: ReadonlyArray<Declared> = [
  ...processSettings,
  dataDirectorySetting,
  gatewayUrlSetting,
  apiKeySetting,
  configHomeSetting,
  publicUrlSetting,
  ...Record.keys(peers).map(peerUrl)
]

const ofServices: ReadonlyArray<Declared> = [
  ...databaseSettings,
  ...Object.values(databaseUrlSettings),
  ...migrationSettings,
  phiKeySetting,
  outboxFolderSetting,
  erasureListSetting,
  cellSetting,
  otherCellsUrlSetting,
  cellDatabasesSetting,
  ...Record.keys(quotas).map(quotaSetting)
]

const ofAuth: ReadonlyArray<Declared> = [
  jwtSecretSetting,
  ...Object.values(authSettings),
  rateLimitSetting(answerLimits.userLookup)
]

const ofProviders: ReadonlyArray<Declared> = [
  ...Object.values(pharmacySettings),
  ...Object.values(testPharmacySettings),
  ...Object.values(stripeSettings),
  ...Object.values(testStripeSettings),
  rateLimitSetting(answerLimits.unknownPromoCodes),
  ...Object.values(providerSettings).filter((setting) => setting !== publicUrlSetting),
  ...Object.values(testProviderSettings),
  reminderSetting
]

/** The names of the settings without which a process does not start. */
export const requiredSettings: ReadonlyArray<string> = [
  ...everywhere,
  ...ofServices,
  ...gatewaySettings,
  ...ofAuth,
  ...ofProviders
].flatMap((setting) => ("purpose" in setting ? [setting.doc.name] : []))

/** What commands read themselves. */
export const commands: Readonly<Record<string, string>> = {
  CARE_DATA_DIR: "start, care",
  CARE_URL: "care",
  CARE_API_KEY: "care",
  CELL_DATABASES: "care",
  XDG_CONFIG_HOME: "care",
  ...Object.fromEntries(Object.values(databaseUrlSettings).map(({ doc }) => [doc.name, "start"])),
  ...Object.fromEntries(migrationSettings.map(({ doc }) => [doc.name, "migrate"]))
}

const readBy = (name: string): string => {
  const processes = Record.keys(variables).filter((process: ProcessName) => variables[process].includes(name))
  if (processes.length === 5) return "every process"
  if (processes.length === 4 && !processes.includes("gateway")) return "every service"
  return processes.length === 0 ? (commands[name] ?? "nobody") : processes.join(", ")
}

const cell = (text: string): string => text.replaceAll("|", "\\|")

const section = (title: string, settings: ReadonlyArray<Declared>): string => {
  const rows = settings.map(({ doc }) => [`\`${doc.name}\``, readBy(doc.name), doc.byDefault, cell(doc.meaning)])
  return `## ${title}\n\n${tableOf([["name", "read by", "default", "meaning"], ...rows])}`
}

const sections = {
  Everywhere: everywhere,
  Services: ofServices,
  Gateway: gatewaySettings,
  "Sign-in and messages": ofAuth,
  Providers: ofProviders
} satisfies Readonly<Record<string, ReadonlyArray<Declared>>>

const secrets = Object.values<ReadonlyArray<Declared>>(sections)
  .flat()
  .flatMap(({ doc }) => (doc.isSecret === true ? [`\`${doc.name}\``] : []))

/** Breaks a paragraph into lines as the formatter leaves them. */
const paragraph = (text: string): string => text.replace(/(.{1,132})(?: |$)/g, "$1\n").trimEnd()

/** The document of all settings, made of their declarations. */
export const configurationDocument = [
  "# Configuration",
  "For operators. All settings are environment variables. With an invalid value a process does not start, and prints one sentence that\n" +
    "describes the valid values. An empty variable counts as absent. A time is a number of seconds, or a number with a unit\n" +
    "(`5 minutes`). Each process gets only the variables that it reads, under `start` and in a container.",
  "Secrets have no default. Outside production, `start` generates missing ones once and stores them in `CARE_DATA_DIR/secrets.json`. In\n" +
    "production all have to be set, except those of the pharmacy and of the scheduling provider. `POSTGRES_PASSWORD` in that file is the\n" +
    "password of the owner of the embedded database, `postgres`; it is generated in production, too.",
  paragraph(
    "A secret may also come as a file: `NAME_FILE` is its path, and a line break at its end is removed. With both set, or a file that is " +
      `empty or cannot be read, a process does not start. Secrets: ${secrets.join(", ")}. ` +
      "How to replace them without a pause: [upgrade](upgrade.md#replace-secrets)."
  ),
  "If neither `SMTP_URL` nor `SMS_API_URL` is set, emails and SMS are stored in a mailbox (`GET /admin/v1/messages`), except in\n" +
    "production. If only one of them is set, messages of the other kind are not delivered.",
  "`pnpm docs:configuration` writes this file from the declarations in the code that reads the settings. A test fails if it is out of\n" +
    "date.",
  ...Object.entries<ReadonlyArray<Declared>>(sections).map(([title, settings]) => section(title, settings))
].join("\n\n")
