import { readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { join } from "node:path"
import { scenarios } from "@care/scenarios"
import { temporaryFolder } from "@care/service-kit/testing"
import { assert, layer } from "@effect/vitest"
import { Context, Effect, Layer } from "effect"
import type { Command } from "effect/cli"
import { runAt } from "../test/runAt.ts"
import { care, operations } from "./care.ts"
import { describeOperation } from "./operations/describeOperation.ts"
import { exampleOf } from "./operations/exampleOf.ts"

const dangerous = "\u001b[31m \u009b2J \u202e \r \u200b \u2060 \ufeff \u061c \u00ad \u180e \ufff9 \u{e0041}"
const resource = { id: "1", name: `Café\n${dangerous}`, lastFailure: "first\nsecond", nested: { a: [1, null] } }
const acted = /(?!\n)[\p{Cc}\p{Cf}]/u
const next = Buffer.from(JSON.stringify([0, "3b241101-e2bb-4255-8caf-4136c566a962"])).toString("base64url")
const page = { data: [resource, { id: "2" }], nextCursor: next }
const whole = { ...page, nextCursor: null }
const id = "3b241101-e2bb-4255-8caf-4136c566a962"
const unknown = "00000000-0000-4000-8000-000000000000"

const listedScenarios = Array.from(scenarios, ([name, { steps, title }]) => ({ name, title, steps: steps.length }))

type Case = readonly [parameters: ReadonlyArray<string>, document: unknown]

/** The commands that are no operation alone, with parameters, and the document that each prints. */
const others: Readonly<Record<string, Case>> = {
  "operator invite": [["ada@b.c", "--name=Ada Byron"], resource],
  "key scan": [[import.meta.filename], { data: [] }],
  "event list": [["--key=cv_key"], page],
  "event resend": [[id, "--key=cv_key"], { id, deliveries: [] }],
  "audit list": [[], page],
  trigger: [["--list"], { data: listedScenarios, nextCursor: null }]
}

const bodies: Readonly<Record<string, object>> = {
  "form create": { title: "F", questions: [{ question: "Q", type: "TEXT", required: true }] },
  "sso set": { issuer: "https://id.example.com", clientId: "care", domains: ["example.com"] },
  "bundle create": {
    ...{ name: "B", description: "", imageUrl: "", price: "1.00", priceUnit: "USD", initialDiscount: "0" },
    ...{ isSoldOut: false, isVisible: true }
  }
}

const withoutContent = [
  "key revoke",
  "webhook remove",
  "user delete",
  "user reset-sign-in",
  "operator remove",
  "session end",
  "sso remove",
  "case leave"
]

/** The example of each command that calls one operation, and the document that it prints. */
const ofOperations = (folder: string): ReadonlyArray<readonly [path: string, ...Case]> =>
  operations.map((operation) => {
    const { columns, command, confirmation, isFile, isWhole } = operation
    const words =
      exampleOf(describeOperation(operation))
        .slice(command.length)
        .match(/"[^"]*"|\S+/g) ?? []
    const file = join(folder, `${command}.json`)
    writeFileSync(file, JSON.stringify(bodies[command] ?? {}))
    const parameters = words.map((word) => (/^(body\.json|scan\.pdf)$/.test(word) ? file : word.replaceAll('"', "")))
    if (command === "session end-others") return [command, parameters, {}]
    const output = join(folder, `${command}.out`)
    if (isFile) return [command, [...parameters.slice(0, -1), output], { output }]
    const document = isWhole
      ? whole
      : columns !== undefined
        ? page
        : withoutContent.includes(command)
          ? { id }
          : resource
    return [command, confirmation === undefined ? parameters : [...parameters, "--yes"], document]
  })

const alwaysJson = operations.filter(({ isJson }) => isJson).map(({ command }) => command)

const pathsOf = (command: Command.Command.Any, path = ""): ReadonlyArray<string> => {
  const below = command.subcommands.flatMap((group) => group.commands)
  if (below.length === 0) return [path]
  return below.flatMap((each) => pathsOf(each, path === "" ? each.name : `${path} ${each.name}`))
}

/** A gateway with one resource and lists of two. */
class Gateway extends Context.Service<Gateway, string>()("@care/cli/test/Gateway") {
  static readonly layer = Layer.effect(
    Gateway,
    Effect.acquireRelease(
      Effect.callback<{ readonly url: string; readonly close: () => void }>((resume) => {
        const server = createServer(({ method, url = "" }, response) => {
          if (url.includes(unknown)) {
            response.writeHead(404, { "x-request-id": "request" })
            return response.end(JSON.stringify({ title: "Not found", detail: "Two\nlines" }))
          }
          if (method === "DELETE" || url.endsWith("reset-sign-in")) return response.writeHead(204).end()
          const isList =
            url.includes("limit=") ||
            /\/(?:usage|rate-limits|sessions|search|assign|viewers|service-health|escalations|days)(?:\?|$)/.test(url)
          if (!isList || url.endsWith(`${id}/assign`)) return response.end(JSON.stringify(resource))
          // A list that is read to its end has two pages.
          const isWhole = /\/(?:organizations|api-keys)\?/.test(url)
          if (!isWhole) return response.end(JSON.stringify(page))
          const isFirst = !url.includes("cursor=")
          const data = isFirst ? page.data.slice(0, 1) : page.data.slice(1)
          return response.end(JSON.stringify({ data, nextCursor: isFirst ? next : null }))
        })
        server.listen(0, "127.0.0.1", () => {
          const { port } = server.address() as AddressInfo
          resume(Effect.succeed({ url: `http://127.0.0.1:${port}`, close: () => server.close() }))
        })
      }),
      ({ close }) => Effect.sync(close)
    ).pipe(Effect.map(({ url }) => url))
  )
}

layer(Gateway.layer, { excludeTestServices: true })("care --json", (it) => {
  const run = Effect.fnUntraced(function* (parameters: ReadonlyArray<string>) {
    const { err, isSuccess, out } = yield* runAt(yield* Gateway, parameters)
    return { isSuccess, out, error: err.join("\n") }
  })

  it.effect("is tested with every command", () =>
    Effect.sync(() =>
      // `listen` and `logs` print lines, and have their own tests (`test/src/listen.test.ts`, `careLogs.test.ts`); `org move` has `moveOrganization.test.ts`; chains
      // have `audit.test.ts`, `seed demo` has `seed.test.ts`; keys, files and sessions are answers of their own (`care.test.ts`).
      assert.sameMembers(
        [
          ...Object.keys(others),
          ...operations.map(({ command }) => command),
          "completion",
          "listen",
          "login",
          "logs",
          "logout",
          "org move",
          "audit heads",
          "audit verify",
          "audit archive",
          "keys status",
          "keys rotate",
          "reconcile",
          "seed demo"
        ],
        [...pathsOf(care)]
      )
    )
  )

  it.effect("prints one document to standard output, and nothing else anywhere", () =>
    Effect.gen(function* () {
      const cases = [
        ...ofOperations(yield* temporaryFolder()),
        ...Object.entries(others).map(([path, each]) => [path, ...each] as const)
      ]
      for (const [path, parameters, document] of cases) {
        const line = [...path.split(" "), ...parameters]
        for (const variant of [
          [...line, "--json"],
          ["--json", ...line]
        ]) {
          const { error, isSuccess, out } = yield* run(variant)
          assert.deepStrictEqual([path, isSuccess, error], [path, true, ""])
          // No file is written over.
          if (path.endsWith(" file") || path.endsWith(" export")) rmSync(parameters.at(-1) ?? "")
          assert.deepStrictEqual([path, JSON.parse(out)], [path, document])
          assert.notMatch(out, acted)
        }
        const forPeople = yield* run(line)
        if (!alwaysJson.includes(path)) assert.throws(() => JSON.parse(forPeople.out))
        assert.notMatch(forPeople.out, acted)
      }
    })
  )

  it.effect("reports a failure as one document on standard error, and nothing on standard output", () =>
    Effect.gen(function* () {
      const exactlyOne = /^--flat: exactly one of --flat and --percent is required: see care promo create --help$/
      const missing = /^--email: must be a valid email; --last-name: Required: see care member add --help$/
      const failures = [
        [["org", "show"], /^Missing required argument: id: see care org show --help$/],
        [["org", "nonsense"], /nonsense.*: see care org --help$/],
        [["org"], /^A command is missing: see care org --help$/],
        [["org", "list", "--nonsense"], /--nonsense.*: see care org list --help$/],
        [["job", "list", "--state", "nonsense"], /nonsense.*: see care job list --help$/],
        [["audit", "verify", "--organization", "Acme"], /--organization: "Acme"\. Expected: a UUID: see /],
        [["form", "create", id, "/nowhere.json"], /^The file \/nowhere\.json cannot be read\.$/],
        [["audit", "verify", "--heads", "/nowhere.json"], /^The file \/nowhere\.json cannot be read\.$/],
        [["promo", "create", "WELCOME"], exactlyOne],
        [["promo", "create", "WELCOME", "--flat=1", "--percent=1"], exactlyOne],
        [["member", "add", id, "--role=ADMIN", "--email=a", "--first-name=A"], missing],
        [
          ["case", "decide", id, "--medicine=dose=1"],
          /^--medicine: dose=1 is not <field>=<value>, with a field of medicine, /
        ],
        [["org", "contact", id], /^Pass what to change: --email, --remove: see care org contact --help$/],
        [["org", "contact", id, "--email=a@b.c", "--remove"], /^Pass either --email or --remove: see /]
      ] as const
      for (const [parameters, sentence] of failures) {
        const { error, isSuccess, out } = yield* run([...parameters, "--json"])
        assert.deepStrictEqual([isSuccess, out], [false, ""])
        assert.match(JSON.parse(error).error.message, sentence)
        assert.deepStrictEqual(JSON.parse(error), { error: { message: JSON.parse(error).error.message } })
      }
      const refused = yield* run(["org", "show", unknown, "--json"])
      const answer = { status: 404, title: "Not found", detail: "Two\nlines", requestId: "request" }
      assert.deepStrictEqual(JSON.parse(refused.error), { error: { message: "Not found: Two\nlines", ...answer } })
      assert.strictEqual(refused.out, "")
      const forPeople = yield* run(["org", "show", unknown])
      assert.strictEqual(forPeople.error, "Not found: Two\nlines (status 404, request request)")
    })
  )

  it.effect("reports a failure in the requested form", () =>
    Effect.gen(function* () {
      const enabling = [["--json"], ["--json=true"], ["--json=1"], ["--json", "yes"]]
      const disabling = [[], ["--json=false"], ["--json", "off"], ["--no-json"]]
      for (const failing of [
        ["org", "show", unknown],
        ["org", "list", "--nonsense"]
      ]) {
        for (const how of enabling)
          assert.containsAllKeys(JSON.parse((yield* run([...failing, ...how])).error), ["error"])
        for (const how of disabling) {
          const { error } = yield* run([...failing, ...how])
          assert.throws(() => JSON.parse(error))
        }
      }
    })
  )

  it.effect("takes an id only as an id, never as a path", () =>
    Effect.gen(function* () {
      const cases = [
        ...ofOperations(yield* temporaryFolder()),
        ...Object.entries(others).map(([path, each]) => [path, ...each] as const)
      ]
      for (const [path, parameters] of cases) {
        if (!parameters.includes(id)) continue
        for (const value of ["../jobs", "", `${id}/revoke`, `${id}?limit=1`, "%2e%2e"]) {
          const line = [...path.split(" "), ...parameters.map((text) => (text === id ? value : text)), "--json"]
          const { error, isSuccess, out } = yield* run(line)
          assert.deepStrictEqual([line, isSuccess, out], [line, false, ""])
          assert.match(
            JSON.parse(error).error.message,
            /^(?:Invalid value for (?:argument <[\w-]+>|flag --[\w-]+): .*Expected: a UUID|Missing value for flag|--cases: must be a valid UUID)/
          )
        }
      }
    })
  )

  it.effect("never prompts: what needs a confirmation is not done", () =>
    Effect.gen(function* () {
      const asking = [
        [["patient", "erase", id], "Nothing was erased: confirm it, or pass --yes."],
        [["user", "delete", id], "The user was not deleted: confirm it, or pass --yes."]
      ] as const
      for (const [parameters, sentence] of asking) {
        const { error, isSuccess, out } = yield* run([...parameters, "--json"])
        assert.deepStrictEqual([isSuccess, out], [false, ""])
        assert.strictEqual(JSON.parse(error).error.message, sentence)
      }
      assert.isTrue((yield* run(["org", "contact", id, "--remove", "--json"])).isSuccess)
    })
  )

  it.effect("shows help on request, with an example of each command", () =>
    Effect.gen(function* () {
      for (const path of pathsOf(care)) assert.match((yield* run([...path.split(" "), "--help"])).out, /EXAMPLES/, path)
      const { error, isSuccess, out } = yield* run(["org", "--help", "--json"])
      assert.deepStrictEqual([isSuccess, error], [true, ""])
      assert.match(out, /--json/)
    })
  )

  it.effect("only output.ts and runCare.ts write output", () =>
    Effect.sync(() => {
      const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" })
      const writing = files.filter(
        (file) =>
          file.endsWith(".ts") &&
          !file.endsWith(".test.ts") &&
          /\bConsole\b|process\.std/.test(readFileSync(join(import.meta.dirname, file), "utf8"))
      )
      assert.sameMembers(writing, ["output.ts", "runCare.ts"])
    })
  )
})
