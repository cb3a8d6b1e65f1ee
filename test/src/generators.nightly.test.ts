import { spawnSync } from "node:child_process"
import { symlinkSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { publicDocument } from "@care/gateway/openapi"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { makeClinic } from "./harness/fixtures.ts"
import { platformProgram, platforms, runIn } from "./harness/platforms.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

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

/** Generates and compiles a client of the partner API with each of two generators in a folder. */
const makeClients = async (folder: string): Promise<void> => {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write("package.json", JSON.stringify({ type: "module" }))
  write("partner.json", JSON.stringify(publicDocument))
  write("openapi-ts.config.mjs", configuration)
  write("tsconfig.json", JSON.stringify({ compilerOptions, files: Object.keys(programs) }))
  for (const [name, text] of Object.entries(programs)) write(name, text)
  symlinkSync(join(platforms, "node_modules"), join(folder, "node_modules"))
  await runIn(folder, platformProgram("openapi-typescript"), ["partner.json", "-o", "partner.d.ts"])
  await runIn(folder, platformProgram("openapi-ts"), [])
  await runIn(folder, platformProgram("tsc"), ["-p", "."])
}

// Debian's Python: the package that the generated code imports is Debian's, too.
const python = "/usr/bin/python3"

const pythonProgram = `import json, os, re, urllib.error, urllib.request
import care

def patterns(value):
    members = list(value.values()) if isinstance(value, dict) else value if isinstance(value, list) else []
    found = value.get("pattern") if isinstance(value, dict) else None
    return ([found] if isinstance(found, str) else []) + [each for member in members for each in patterns(member)]

with open("schemas.json") as schemas:
    assert len([re.compile(pattern) for pattern in patterns(json.load(schemas))]) > 100

def call(path, body=None):
    data = None if body is None else json.dumps(body).encode()
    headers = {"cv-api-key": os.environ["KEY"], "content-type": "application/json"}
    try:
        with urllib.request.urlopen(urllib.request.Request(os.environ["URL"] + path, data, headers)) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as refused:
        return refused.code, json.load(refused)

created = care.CreateCase.from_dict({
    "user": {"firstName": "Rosa", "lastName": "Blum", "email": "py@example.com", "phoneNumber": os.environ["PHONE"], "dob": "1988-04-12"},
    "products": [{"id": os.environ["PRODUCT"], "form": {"title": "Intake", "questions": [{"question": "Allergies?", "answer": "No", "type": "TEXT"}]}}],
})
answer = call("/api/v1/cases", created.to_dict())
assert answer[0] == 200, answer
made = care.CaseMade.from_dict(answer[1])
case_id = str(made.data.case_id)
closing = care.ChangeCaseStatus.from_dict({"action": "CHANGE_CASE_STATUS", "status": "CLOSE"})
closed, _ = call("/api/v1/cases/" + case_id, closing.to_dict())
detail = care.CaseRead.from_dict(call("/api/v1/customer-case-detail?caseId=" + case_id)[1]).case_detail
refused, error = call("/api/v1/customer-case-detail?caseId=0")
print(closed, str(detail.is_archived).lower(), detail.submitter.email, refused, error["error"], sep=",")
`

const answerOf = (path: string, method: string) =>
  publicDocument.paths[path]?.[method]?.responses?.["200"]?.content?.["application/json"]?.schema

/** Generates the types of the document's schemas and of two answers, for Python. */
const makePythonTypes = async (folder: string): Promise<void> => {
  const schemas = {
    ...publicDocument.components?.schemas,
    CaseMade: answerOf("/api/v1/cases", "post"),
    CaseRead: answerOf("/api/v1/customer-case-detail", "get")
  }
  const $schema = "http://json-schema.org/draft-06/schema#"
  // The generator takes a date for a time, and would send one.
  const withoutDates = (key: string, value: unknown) => (key === "format" && value === "date" ? undefined : value)
  writeFileSync(join(folder, "schemas.json"), JSON.stringify({ $schema, components: { schemas } }, withoutDates))
  writeFileSync(join(folder, "program.py"), pythonProgram)
  const source = ["-s", "schema", "--src", "schemas.json#/components/schemas/"]
  await runIn(folder, platformProgram("quicktype"), [...source, "-l", "python", "-o", "care.py"])
}

testsOn(Suite.shared, "generators of clients", (it) => {
  it("two of them make clients of the partner document that compile, and whose calls work", function* () {
    const { key, productId } = yield* makeClinic
    const { urls } = yield* Suite
    const folder = yield* temporaryFolder()
    yield* Effect.promise(() => makeClients(folder))
    const emails = ["fetch@example.com", "hey@example.com"]
    for (const [index, name] of Object.keys(programs).entries()) {
      const variables = { KEY: key, URL: urls.gateway, PRODUCT: productId, PHONE: `+1415555267${index}` }
      const output = yield* Effect.promise(() => runIn(folder, process.execPath, [name], variables))
      assert.strictEqual(output, `200,true,${emails[index]},404,No Case found for provided details!`, name)
    }
  })

  if (spawnSync(python, ["-c", "import dateutil"]).status === 0) {
    it("another makes types for Python, with which calls work", function* () {
      const { key, productId } = yield* makeClinic
      const { urls } = yield* Suite
      const folder = yield* temporaryFolder()
      yield* Effect.promise(() => makePythonTypes(folder))
      const variables = { KEY: key, URL: urls.gateway, PRODUCT: productId, PHONE: "+14155552679" }
      const output = yield* Effect.promise(() => runIn(folder, python, ["program.py"], variables))
      assert.strictEqual(output, "200,true,py@example.com,404,No Case found for provided details!")
    })
  } else {
    it("leaves out Python, because it is not installed (Debian: python3-dateutil)", function* () {
      yield* Effect.sync(() =>
        process.stdout.write("Types for Python were not tested: install python3-dateutil (Debian).\n")
      )
    })
  }
})
