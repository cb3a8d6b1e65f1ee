import { execFile } from "node:child_process"
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { promisify } from "node:util"
import { publicDocument } from "@care/gateway/openapi"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

const run = promisify(execFile)

// Installed here, because the compiler of the workspace has no API that generators could use.
const tools = ["openapi-typescript@7.13.0", "openapi-fetch@0.17.0", "@hey-api/openapi-ts@0.95.0", "typescript@5.9.3"]

const body = (email: string) => `{
  user: { firstName: "Rosa", lastName: "Blum", email: "${email}", phoneNumber, dob: "1988-04-12" },
  products: [{ id: productId, form: { title: "Intake", questions: [{ question: "Allergies?", answer: "No", type: "TEXT" }] } }]
}`

const settings = `
const { KEY: key = "", URL: baseUrl = "", PRODUCT: productId = "", PHONE: phoneNumber = "" } = process.env
`

// Each program creates a case, calls an action of its path, reads it, and prints what it found.
const programs = {
  "openapi-fetch.ts": `import createClient from "openapi-fetch"
import type { paths } from "./partner.d.ts"
${settings}
const client = createClient<paths>({ baseUrl, headers: { "cv-api-key": key } })
const made = await client.POST("/api/v1/cases", { body: ${body("fetch@example.com")} })
const caseId: string = made.data?.data.caseId ?? ""
const path = { caseId }
const closed = await client.POST("/api/v1/cases/{caseId}", { params: { path }, body: { action: "CHANGE_CASE_STATUS", status: "CLOSE" } })
const read = await client.GET("/api/v1/customer-case-detail", { params: { query: { caseId } } })
const refused = await client.GET("/api/v1/customer-case-detail", { params: { query: { caseId: "0" } } })
const text = refused.error !== undefined && "error" in refused.error && refused.error.error
const isArchived: boolean | undefined = read.data?.caseDetail.isArchived
console.log([closed.response?.status, isArchived, read.data?.caseDetail.submitter.email, refused.response.status, text].join())
`,
  "hey-api.ts": `import { client } from "./generated/client.gen.ts"
import { caseActions, intakeCreateCase, readingCaseDetail } from "./generated/index.ts"
${settings}
client.setConfig({ baseUrl, auth: key })
const made = await intakeCreateCase({ body: ${body("hey@example.com")} })
const caseId: string = made.data?.data.caseId ?? ""
const closed = await caseActions({ path: { caseId }, body: { action: "CHANGE_CASE_STATUS", status: "CLOSE" } })
const read = await readingCaseDetail({ query: { caseId } })
const refused = await readingCaseDetail({ query: { caseId: "0" } })
const text = refused.error !== undefined && "error" in refused.error && refused.error.error
const isArchived: boolean | undefined = read.data?.caseDetail.isArchived
console.log([closed.response?.status, isArchived, read.data?.caseDetail.submitter.email, refused.response?.status, text].join())
`
}

const configuration = `export default {
  input: "partner.json",
  output: { path: "generated", importFileExtension: ".ts" },
  plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"]
}
`

const compilerOptions = {
  strict: true,
  module: "nodenext",
  target: "es2022",
  lib: ["es2023", "dom", "dom.iterable"],
  types: ["node"],
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true
}

/** Installs two generators into a folder, and generates and compiles a client of the partner API with each. */
const makeClients = async (folder: string): Promise<void> => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write("package.json", JSON.stringify({ type: "module" }))
  write("partner.json", JSON.stringify(publicDocument))
  write("openapi-ts.config.mjs", configuration)
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: Object.keys(programs) }))
  for (const [name, text] of Object.entries(programs)) write(name, text)
  const inFolder = (command: string, ...parameters: ReadonlyArray<string>) =>
    run(command, parameters, { cwd: folder, timeout: 120_000 })
  await inFolder("npm", "install", "--no-audit", "--no-fund", "--silent", "@types/node@24", ...tools)
  const tool = (name: string) => join(folder, "node_modules/.bin", name)
  await inFolder(tool("openapi-typescript"), "partner.json", "-o", "partner.d.ts")
  await inFolder(tool("openapi-ts"))
  await inFolder(tool("tsc"), "-p", ".").catch((error: { readonly stdout?: string }) => assert.fail(error.stdout))
}

testsOn(Suite.shared, "generators of clients", (it) => {
  it("two of them make clients of the partner document that compile, and whose calls work", function* () {
    const { key, productId } = yield* makeClinic
    const { urls } = yield* Suite
    const folder = yield* Effect.acquireRelease(
      Effect.sync(() => mkdtempSync(join(tmpdir(), "care-generators-"))),
      (made) => Effect.sync(() => rmSync(made, { recursive: true }))
    )
    yield* Effect.promise(() => makeClients(folder))
    const emails = ["fetch@example.com", "hey@example.com"]
    for (const [index, name] of Object.keys(programs).entries()) {
      const env = { ...process.env, KEY: key, URL: urls.gateway, PRODUCT: productId, PHONE: `+1415555267${index}` }
      const { stdout } = yield* Effect.promise(() => run(process.execPath, [name], { cwd: folder, env }))
      assert.strictEqual(stdout.trim(), `200,true,${emails[index]},404,No Case found for provided details!`, name)
    }
  })
})
