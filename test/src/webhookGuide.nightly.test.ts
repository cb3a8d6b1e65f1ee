import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { serveListener } from "@care/service-kit/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Webhook } from "standardwebhooks"
import { addEndpoint, endpoints } from "./harness/endpoints.ts"
import { makeClinic } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"
import { until } from "./harness/until.ts"

const guide = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8")

/** A code snippet of the guide. */
const snippet = (language: string): string => {
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(guide) ?? []
  assert.isDefined(code, `the guide has no ${language}`)
  return code ?? ""
}

/** How a language's snippet is run: it reads requests as JSON, and prints whether each is genuine. */
interface Language {
  readonly command: string
  readonly parameters: (code: string) => ReadonlyArray<string>
  readonly rest: string
}

const languages: Readonly<Record<string, Language>> = {
  ts: {
    command: process.execPath,
    parameters: (code) => ["--input-type=module-typescript", "--eval", code],
    rest: `
      import { readFileSync } from "node:fs"
      const accepts = ({ secret, headers, body }: { secret: string; headers: Record<string, string>; body: string }) => {
        try {
          return verify(secret, headers, body) !== undefined
        } catch {
          return false
        }
      }
      process.stdout.write(JSON.stringify(JSON.parse(readFileSync(0, "utf8")).map(accepts)))
    `
  },
  python: {
    command: "python3",
    parameters: (code) => ["-c", code],
    rest: [
      "import json, sys",
      "tried = json.load(sys.stdin)",
      "print(json.dumps([is_genuine(each['secret'], each['headers'], each['body'].encode()) for each in tried]))"
    ].join("\n")
  },
  php: {
    command: "php",
    parameters: (code) => ["-r", code],
    rest: `
      $tried = json_decode(file_get_contents('php://stdin'), true);
      echo json_encode(array_map(fn ($each) => isGenuine($each['secret'], $each['headers'], $each['body']), $tried));
    `
  }
}

interface Request {
  readonly secret: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Receives a request of the suite just after the endpoint's secret was rotated. Returns it with both secrets. */
const sentRequest = Effect.gen(function* () {
  const received: Array<Omit<Request, "secret">> = []
  const { url } = yield* serveListener(async (request, response) => {
    const body = await text(request)
    const headers = Object.entries(request.headers).map(([name, value]) => [name, String(value)])
    received.push({ headers: Object.fromEntries(headers), body })
    response.writeHead(204).end()
  })
  const clinic = yield* makeClinic
  const { id, secret: older } = yield* addEndpoint(clinic, { url })
  const rotated = yield* endpoints("POST", clinic, `/${id}/rotate-secret`)
  assert.strictEqual((yield* endpoints("POST", clinic, `/${id}/test`)).status, 200)
  yield* until(
    Effect.sync(() => received.length),
    (length) => length > 0
  )
  const [{ body, headers } = assert.fail("nothing was sent")] = received
  return { older: String(older), request: { secret: String(rotated.json.data.secret), headers, body } }
})

/** Returns the request and altered copies of it, with whether each is genuine. */
const requestsFrom = (
  request: Request,
  older: string
): Readonly<Record<string, readonly [isGenuine: boolean, Request]>> => {
  const { body, headers, secret } = request
  const withHeaders = (changes: Readonly<Record<string, string>>): Request => ({
    ...request,
    headers: { ...headers, ...changes }
  })
  const id = headers["webhook-id"] ?? ""
  const signature = headers["webhook-signature"] ?? ""
  assert.strictEqual(signature.split(" ").length, 2)
  const signedAt = (secondsFromNow: number, by = secret) => {
    const sentAt = new Date(Date.now() + secondsFromNow * 1000)
    return {
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": new Webhook(by).sign(id, sentAt, body)
    }
  }
  const other = `whsec_${randomBytes(32).toString("base64")}`
  const [{ "webhook-signature": ofOther }, { "webhook-signature": old }] = [signedAt(0, other), signedAt(-360)]
  return {
    "as it was sent": [true, request],
    "checked with the secret before": [true, { ...request, secret: older }],
    "with one signature": [true, withHeaders(signedAt(0))],
    "4 minutes old": [true, withHeaders(signedAt(-240))],
    "6 minutes old": [false, withHeaders(signedAt(-360))],
    "6 minutes ahead": [false, withHeaders(signedAt(360))],
    "6 minutes old, with the time of now": [false, withHeaders({ "webhook-signature": old })],
    "checked with a secret of somebody else": [false, { ...request, secret: other }],
    "signed by somebody else": [false, withHeaders({ "webhook-signature": ofOther })],
    "with another body": [false, { ...request, body: body.replace("ping", "pong") }],
    "with a body that was parsed and written again": [
      false,
      { ...request, body: JSON.stringify(JSON.parse(body), null, 1) }
    ],
    "with another id": [false, withHeaders({ "webhook-id": "other" })],
    "without a signature": [false, withHeaders({ "webhook-signature": "" })],
    "with signatures of another kind": [
      false,
      withHeaders({ "webhook-signature": signature.replaceAll("v1,", "v1a,") })
    ],
    "with half a signature": [false, withHeaders({ "webhook-signature": signature.slice(0, 20) })]
  }
}

const isThere = (command: string): boolean => {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

testsOn(Suite.layer, "the guide's check of webhooks", (it) => {
  for (const [language, { command, parameters, rest }] of Object.entries(languages)) {
    if (!isThere(command)) {
      process.stdout.write(`${command} is not on the PATH: the guide's check in ${language} is not tried.\n`)
      continue
    }
    it(`tells ours from any other, in ${language}`, function* () {
      const code = snippet(language)
      const lines = code.split("\n").filter((line) => line.trim().length > 1 && !line.startsWith("import "))
      assert.isAtMost(lines.length, 5)
      const { older, request } = yield* sentRequest
      const requests = requestsFrom(request, older)
      const output = execFileSync(command, parameters(`${code}\n${rest}`), {
        cwd: join(import.meta.dirname, ".."),
        input: JSON.stringify(Object.values(requests).map(([, each]) => each))
      })
      const answers: ReadonlyArray<unknown> = JSON.parse(output.toString())
      assert.deepStrictEqual(
        Object.keys(requests).map((name, index) => [name, answers[index]]),
        Object.entries(requests).map(([name, [isGenuine]]) => [name, isGenuine])
      )
    })
  }
})
