import { execFile, spawn } from "node:child_process"
import { globSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { findFreeBase, offsets } from "@care/sandbox"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect, Schema } from "effect"

const root = join(import.meta.dirname, "../..")

// The guides in reading order: Maria's case comes first, and the guide that erases her comes last.
const guides = [
  "README.md",
  ...[
    "quick-start",
    "one-minute",
    "first-case",
    "forms",
    "sign-in",
    "payments",
    "orders",
    "appointments",
    "escalations",
    "idempotency",
    "webhook-endpoints",
    "operator",
    "audit",
    "stand-ins",
    "patient-data"
  ].map((name) => `docs/guides/${name}.md`)
]

const id = "[0-9a-f]{8}-[0-9a-f-]{27}"

/** Where a reader finds the value of a placeholder (`NAME=...`): in the output of the latest command that matches. */
const captures: Readonly<Record<string, readonly [command: RegExp, value: RegExp]>> = {
  ACCESS: [/verify-otp/, /"accessToken":"([^"]+)"/],
  CASE: [/"firstName": "Maria"/, RegExp(`"caseId":"(${id})"`)],
  CODE: [/admin\/v1\/messages/, /\b(\d{6})\b/],
  CUSTOMER: [/customer-case-detail\?caseId=\$CASE"/, RegExp(`"submitter":\\{"id":"(${id})"`)],
  ENDPOINT: [/curl -s \$HOOKS -H/, RegExp(`"id":"(${id})"`)],
  HAPPENED: [/care event list/, RegExp(`(${id})`)],
  INTENT: [/payments\/intent /, /(pi_\w+?)_secret_/],
  LATER: [/payments\/intent /, /(pi_\w+?)_secret_/],
  MIA: [/"firstName": "Mia"/, RegExp(`"caseId":"(${id})"`)],
  MEETING: [/user_email=maria/, RegExp(`"data":\\[\\{"id":"(${id})"`)],
  NEW: [/"firstName": "Lea"/, RegExp(`"caseId":"(${id})"`)],
  ORDER: [/PLACE_ORDER/, RegExp(`"(?:id|orderId)":"(${id})"`)],
  ORGANIZATION: [/care org create/, RegExp(`(${id})`)],
  PAYMENT: [/care payment list/, RegExp(`(${id})`)],
  SETUP: [/payments\/setup /, /(seti_\w+?)_secret_/],
  VISIT: [/includeCalendarEvents/, RegExp(`"calendarEvents":\\[\\{[^}]*?"id":"(${id})"`)],
  WAITING: [/"firstName": "Noa"/, RegExp(`"caseId":"(${id})"`)]
}

/** The case of the programs: Maria's of their own. */
const caseOfPrograms = [/firstName: "Maria"/, RegExp(`(${id})`)] as const

interface Ran {
  readonly command: string
  readonly output: string
}

const run = (script: string, cwd: string, env: Readonly<Record<string, string>>) =>
  Effect.promise(
    () =>
      new Promise<{ readonly isOk: boolean; readonly output: string }>((resolve) =>
        execFile(
          "bash",
          ["--norc", "-c", script],
          { cwd, env: { PATH: process.env["PATH"], ...env } },
          (error, stdout, stderr) =>
            resolve({ isOk: error === null, output: `${stdout}${error === null ? "" : stderr}` })
        )
      )
  )

const node = `"${process.execPath}"`

const isWhole = (text: string): boolean => !text.endsWith("\\") && (text.match(/'/g) ?? []).length % 2 === 0

/**
 * Returns a command that runs the programs of a document as one. They do the same as its other commands, for other patients: a patient
 * has one active case.
 */
const programOf = (code: string): string => {
  const forOthers = code.replaceAll("@example.com", "-ts@example.com").replaceAll("+141555526", "+141555536")
  const own = forOthers.replaceAll(/(idempotencyKey: "[^"]+)"/g, '$1-ts"')
  return `cd "${root}/test" && ${node} --input-type=module-typescript --eval '${own.replaceAll("'", `'\\''`)}'`
}

const isProgram = (command: string): boolean => command.includes("--eval")

const blocksOf = (language: string, document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(RegExp(`^\`\`\`${language}\n([\\s\\S]*?)^\`\`\``, "gm")), ([, code = ""]) => code)

const withoutIds = (output: string): string => output.replaceAll(RegExp(id, "g"), "ID")

/** Returns the commands in the `sh` and `ts` blocks of a document, without placeholders and comments. Its program comes last. */
const commandsOf = (document: string): ReadonlyArray<string> => {
  const programs = blocksOf("ts", document)
  return [
    ...blocksOf("sh", document).flatMap(commandsIn),
    ...(programs.length === 0 ? [] : [programOf(programs.join("\n"))])
  ]
}

const commandsIn = (block: string): ReadonlyArray<string> => {
  const commands: Array<string> = []
  let command = ""
  for (const line of block.split("\n")) {
    if (command === "" && /^(#.*|export .*|[A-Z]+=\.\.\..*|\s*)$/.test(line)) continue
    command = command === "" ? line : `${command}\n${line}`
    if (!isWhole(command)) continue
    commands.push(command)
    command = ""
  }
  assert.strictEqual(command, "")
  return commands
}

const placeholdersOf = (document: string): ReadonlyArray<string> =>
  Array.from(document.matchAll(/^([A-Z]+)=\.\.\./gm), ([, name = ""]) => name)

const decodeSecrets = Schema.decodeUnknownSync(Schema.fromJsonString(Schema.Record(Schema.String, Schema.String)))
const decodeDemo = Schema.decodeUnknownSync(
  Schema.fromJsonString(
    Schema.Struct({
      apiKey: Schema.String,
      testApiKey: Schema.String,
      productIds: Schema.Array(Schema.String),
      testProductIds: Schema.Array(Schema.String)
    })
  )
)

/** Starts the suite as the README says, until the scope closes. */
const started = Effect.gen(function* () {
  const dataDirectory = yield* temporaryFolder()
  const port = yield* findFreeBase(Object.values(offsets))
  const environment = { PORT: String(port), CARE_DATA_DIR: dataDirectory }
  const child = spawn(process.execPath, ["packages/sandbox/src/start/main.ts"], {
    cwd: root,
    env: { PATH: process.env["PATH"], NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"], ...environment }
  })
  const exit = new Promise<void>((resolve) => child.on("exit", () => resolve()))
  yield* Effect.addFinalizer(() =>
    Effect.andThen(
      Effect.sync(() => child.kill("SIGINT")),
      Effect.promise(() => exit)
    )
  )
  yield* Effect.promise(
    () =>
      new Promise<void>((resolve, reject) => {
        let output = ""
        const listen = (part: Buffer) => {
          output += part.toString()
          if (output.includes("Ctrl-C stops everything")) resolve()
        }
        child.stdout.on("data", listen)
        child.stderr.on("data", listen)
        child.on("exit", () => reject(new Error(output)))
      })
  )
  const secrets = decodeSecrets(readFileSync(join(dataDirectory, "secrets.json"), "utf8"))
  const demo = decodeDemo(readFileSync(join(dataDirectory, "demo.json"), "utf8"))
  const told = {
    KEY: demo.apiKey,
    PRODUCT: demo.productIds[0] ?? "",
    ADMIN: secrets["ADMIN_TOKEN"] ?? "",
    STRIPE: secrets["STRIPE_SECRET_KEY"] ?? "",
    PHARMACY: secrets["PHARMACY_API_TOKEN"] ?? "",
    CALENDLY: secrets["SCHEDULING_API_TOKEN"] ?? ""
  }
  const toldOfSandbox = { ...told, KEY: demo.testApiKey, PRODUCT: demo.testProductIds[0] ?? "" }
  return { environment, port, told, toldOfSandbox }
})

it("every guide with commands is run", () => {
  const withCommands = globSync("docs/guides/*.md", { cwd: root }).filter((file) =>
    /^```sh$/m.test(readFileSync(join(root, file), "utf8"))
  )
  assert.sameMembers(guides.slice(1), withCommands)
})

it.live("the programs of the guides fit the types of the client", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder(0o755, join(root, "test/node_modules"))
    const checked = { extends: join(root, "tsconfig.base.json"), include: ["*.mts"] }
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(checked))
    for (const [index, guide] of guides.entries()) {
      const programs = blocksOf("ts", readFileSync(join(root, guide), "utf8"))
      if (programs.length > 0) writeFileSync(join(folder, `${index}.mts`), programs.join("\n"))
    }
    const { isOk, output } = yield* run(`${node} "${root}/node_modules/typescript/bin/tsc" -p .`, folder, {})
    assert.isTrue(isOk, output)
  }).pipe(Effect.scoped)
)

it("each call of a partner is shown in TypeScript, too", () => {
  const isOfPartner = (code: string) => /^curl .*cv-api-key: \$KEY/ms.test(code)
  // Not where an operator's commands follow on a single call.
  const others = ["README.md", "docs/guides/stand-ins.md"]
  for (const guide of guides.filter((file) => !others.includes(file))) {
    const document = readFileSync(join(root, guide), "utf8")
    const blocks = document.matchAll(/^```sh\n([\s\S]*?)^```\n(\n```ts$)?/gm)
    const alone = Array.from(blocks, ([, code = "", program]) => (program === undefined ? code : ""))
    assert.deepStrictEqual(alone.filter(isOfPartner), [], guide)
  }
})

it.live(
  "the commands of README and of the guides work, one after the other, with their placeholders filled in",
  () =>
    Effect.gen(function* () {
      const { environment, port, told, toldOfSandbox } = yield* started
      const cwd = yield* temporaryFolder()
      writeFileSync(join(cwd, ".curlrc"), "fail-with-body\nshow-error\n")

      /** Rewrites a command to run from the sources, with the ports of this suite. */
      const adapted = (command: string): string =>
        command
          .replaceAll("npx -y pnpm@12.21.0 care", `${node} "${root}/packages/cli/src/main.ts"`)
          .replaceAll(/localhost:(80\d\d)/g, (_, given: string) => `localhost:${port + Number(given) - 8080}`)

      const ran: Array<Ran> = []
      const valueFor = (name: string, isForProgram = false): string | undefined => {
        const [command, value] = isForProgram && name === "CASE" ? caseOfPrograms : (captures[name] ?? [])
        if (command === undefined || value === undefined) return undefined
        const newest = ran.findLast((each) => command.test(each.command) && value.test(each.output))
        return newest === undefined ? undefined : value.exec(newest.output)?.[1]
      }

      let known = told
      const execute = Effect.fnUntraced(function* (command: string, before: string, names: ReadonlyArray<string>) {
        const values = names.flatMap((name) => {
          const value = valueFor(name, isProgram(command))
          return value === undefined ? [] : [[name, value] as const]
        })
        const variables = { ...environment, CURL_HOME: cwd, ...known, ...Object.fromEntries(values) }
        const result = yield* run(adapted(`set -u\n${before}\n${command}`), cwd, variables)
        if (result.isOk) ran.push({ command, output: result.output })
        return result
      })

      for (const guide of guides) {
        const document = readFileSync(join(root, guide), "utf8")
        const [commands, names] = [commandsOf(document), placeholdersOf(document)]
        assert.isNotEmpty(commands, guide)
        const [begun, ranBefore] = [performance.now(), ran.length]
        known = document.includes("testApiKey in") ? toldOfSandbox : told
        let before = ""
        for (const command of commands) {
          if (/^[A-Z]+=/.test(command)) {
            before += `${command}\n`
            continue
          }
          const until = performance.now() + 20_000
          const unknown = names.filter((name) => command.includes(`$${name}`) && !(name in told))
          // Repeats reads, because the effect of a job shows slightly later: a message in the mailbox, an order at the pharmacy.
          while (true) {
            for (const name of unknown.filter((each) => valueFor(each) === undefined)) {
              const source = ran.findLast((each) => captures[name]?.[0].test(each.command))
              if (source !== undefined && !/ -[dX] /.test(source.command)) yield* execute(source.command, before, names)
            }
            const { isOk, output } = yield* execute(command, before, names)
            if (isOk) break
            const transcript = ran.slice(-3).map((each) => `${each.command}\n${each.output}`)
            if (performance.now() > until || isProgram(command))
              assert.fail(`${guide}: ${command}\n${output}\n\n${transcript.join("\n")}`)
            yield* Effect.sleep("200 millis")
          }
        }
        const outputs = ran.slice(ranBefore).filter(({ command }) => !isProgram(command))
        const recorded = blocksOf("text", document).join("")
        if (recorded === "") continue
        assert.strictEqual(withoutIds(outputs.map(({ output }) => output).join("")), withoutIds(recorded))
        assert.isBelow(performance.now() - begun, 20_000)
      }
    }).pipe(Effect.scoped),
  180_000
)
