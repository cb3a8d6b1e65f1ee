import { createCaseExample } from "@care/domain/cases/createCaseExample"
import type { Demo } from "./demo.ts"
import { furtherCells, hasStandIn, offsets, type StandInName, type StartSettings } from "./StartSettings.ts"
import type { RunningSuite } from "./Suite.ts"
import { cellDatabasesFile, secretsFile } from "./secrets.ts"

const body = (productId: string) => ({
  ...createCaseExample,
  forceCreate: true,
  products: createCaseExample.products.map((product) => ({ ...product, id: productId }))
})

const withoutPassword = (url: string): string => {
  const redacted = new URL(url)
  redacted.password = ""
  return redacted.toString()
}

const shownStandIns: ReadonlyArray<readonly [shown: string, name: StandInName]> = [
  ["Pharmacy", "pharmacy"],
  ["Stripe", "stripe"],
  ["Scheduling", "schedulingProvider"]
]

/** Returns the output of the start command: the URLs of all parts, and two calls to paste. */
export const welcome = (suite: RunningSuite, settings: StartSettings, demo: Demo, seconds: number): string => {
  const url = `http://localhost:${settings.port}`
  const secrets = secretsFile(settings.dataDirectory)
  const isGiven = (databaseUrl: string) => Object.values(settings.databaseUrls).includes(databaseUrl)
  const [other] = furtherCells(settings)
  const rows = [
    ["Gateway", url],
    ...(settings.publicUrl === url ? [] : [["Public URL", settings.publicUrl]]),
    ["Console", `${url}/console   (sign in as ${demo.staffEmails.provider}: the page shows the code)`],
    ["Docs", `${url}/docs`],
    ["OpenAPI", `${url}/openapi.json`],
    ["Health", `${url}/health/ready`],
    ...shownStandIns
      .filter(([, name]) => hasStandIn(settings, name))
      .map(([label, name]) => [label, `http://localhost:${settings.port + offsets[name]}`]),
    ...[...new Set(Object.values(suite.databaseUrls))].map((databaseUrl) => [
      "Database",
      `${withoutPassword(databaseUrl)}${isGiven(databaseUrl) ? "" : `   (password: POSTGRES_PASSWORD in ${secrets})`}`
    ]),
    ...furtherCells(settings).map(({ name, settings: { port } }) => [
      `Cell ${name}`,
      `services from http://localhost:${port + offsets.auth}, PostgreSQL at ${port + offsets.postgres}`
    ]),
    ["Data", suite.databaseDirectory ?? settings.dataDirectory],
    ["Demo key", `${demo.apiKey}   (organization Demo Clinic, ${demo.organizationId})`],
    ["Test key", `${demo.testApiKey}   (its sandbox, in which nothing reaches anybody)`],
    ...Object.entries(demo.staffEmails).map(([role, email], index) => [
      index === 0 ? "Demo staff" : "",
      `${email}   (${role})`
    ]),
    ["Admin token", `ADMIN_TOKEN in ${secrets}, unless it is set in the environment`]
  ]
  return [
    "",
    `Partner Care API is ready after ${seconds.toFixed(1)} s.`,
    "",
    ...rows.map(([name = "", value]) => `  ${name.padEnd(13)}${value}`),
    ...(suite.hasOwnRoles
      ? []
      : [
          "",
          "  All services use the role of DATABASE_URL, because it cannot create roles or already owns the schemas."
        ]),
    "",
    "Create a case:",
    "",
    `curl -s -w '\\n' ${url}/api/v1/cases -H 'cv-api-key: ${demo.apiKey}' -H 'content-type: application/json' -d '${JSON.stringify(body(demo.productIds[0] ?? ""))}'`,
    "",
    "Read it back:",
    "",
    `curl -s -w '\\n' '${url}/api/v1/customer-case-detail?email=maria.lopez@example.com' -H 'cv-api-key: ${demo.apiKey}'`,
    "",
    ...(other === undefined
      ? []
      : [
          `Move the demo clinic to the cell ${other.name}. The command says what to add to ${secretsFile(other.settings.dataDirectory)} first:`,
          "",
          `CELL_DATABASES_FILE='${cellDatabasesFile(settings.dataDirectory)}' pnpm care org move ${demo.organizationId} --to ${other.name}`,
          ""
        ]),
    "Ctrl-C stops everything.",
    ""
  ].join("\n")
}
