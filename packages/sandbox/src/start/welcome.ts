import { createCaseExample } from "@care/domain/cases/createCaseExample"
import type { Demo } from "./demo.ts"
import { hasOwnPharmacy, hasOwnProvider, hasOwnStripe, offsets, type StartSettings } from "./StartSettings.ts"
import type { RunningSuite } from "./Suite.ts"
import { secretsFile } from "./secrets.ts"

const body = (productId: string) => ({
  ...createCaseExample,
  forceCreate: true,
  products: createCaseExample.products.map((product) => ({ ...product, id: productId }))
})

const withoutPassword = (url: string): string => {
  const shown = new URL(url)
  shown.password = ""
  return shown.toString()
}

/** What the start command prints when everything runs: where it is, and two calls that work when pasted. */
export const welcome = (suite: RunningSuite, settings: StartSettings, demo: Demo, seconds: number): string => {
  const url = `http://localhost:${settings.port}`
  const rows = [
    ["Gateway", url],
    ...(settings.publicUrl === url ? [] : [["Public URL", settings.publicUrl]]),
    ["Docs", `${url}/docs`],
    ["OpenAPI", `${url}/openapi.json`],
    ["Health", `${url}/health/ready`],
    ...(hasOwnPharmacy(settings) ? [["Pharmacy", `http://localhost:${settings.port + offsets.pharmacy}`]] : []),
    ...(hasOwnStripe(settings) ? [["Stripe", `http://localhost:${settings.port + offsets.stripe}`]] : []),
    ...(hasOwnProvider(settings)
      ? [["Scheduling", `http://localhost:${settings.port + offsets.schedulingProvider}`]]
      : []),
    ["Database", withoutPassword(suite.databaseUrl)],
    ["Data", suite.databaseDirectory ?? settings.dataDirectory],
    ["Demo key", `${demo.apiKey}   (organization Demo Clinic, ${demo.organizationId})`],
    ["Admin token", `ADMIN_TOKEN in ${secretsFile(settings.dataDirectory)}, unless the environment gives it`]
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
          "  The services have no roles of their own here (the owner may not create roles, or owns the schemas): all use the owner's."
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
    "Ctrl-C stops everything.",
    ""
  ].join("\n")
}
