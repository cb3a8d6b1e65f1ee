import { execFileSync } from "node:child_process"
import { randomBytes } from "node:crypto"
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { assert, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"

const guide = readFileSync(join(import.meta.dirname, "../../docs/webhooks.md"), "utf8")

/** A snippet of the guide. */
const snippet = (language: string): string => {
  const [, code] = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(guide) ?? []
  assert.isDefined(code, `the guide has no ${language}`)
  return code ?? ""
}

/** How the code of a guide is run: it reads a list of requests as JSON, and prints of each whether it is genuine. */
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

const newSecret = () => `whsec_${randomBytes(32).toString("base64")}`
const secret = newSecret()
const older = newSecret()

const id = "msg_2KWPBgLlAfxdpx2AI54pPJ85f4W"
const body = JSON.stringify({ type: "case.created", timestamp: "2026-01-01T00:00:00.000Z", data: { note: "é €" } })

/** A request as it is sent at a time, signed with some secrets. */
const request = (secondsFromNow = 0, ...secrets: ReadonlyArray<string>) => {
  const sentAt = new Date(Date.now() + secondsFromNow * 1000)
  return {
    secret,
    headers: {
      "webhook-id": id,
      "webhook-timestamp": String(Math.floor(sentAt.getTime() / 1000)),
      "webhook-signature": secrets.map((each) => new Webhook(each).sign(id, sentAt, body)).join(" ")
    },
    body
  }
}

const genuine = request(0, secret)
const { headers } = genuine

const requests: Readonly<Record<string, readonly [isGenuine: boolean, ReturnType<typeof request>]>> = {
  "as it was sent": [true, genuine],
  "with the signatures of both secrets, checked with the new one": [true, request(0, older, secret)],
  "with the signatures of both secrets, checked with the old one": [
    true,
    { ...request(0, older, secret), secret: older }
  ],
  "4 minutes old": [true, request(-240, secret)],
  "6 minutes old": [false, request(-360, secret)],
  "6 minutes ahead": [false, request(360, secret)],
  "with another body": [false, { ...genuine, body: body.replace("created", "closed") }],
  "with a body that was parsed and written again": [
    false,
    { ...genuine, body: JSON.stringify(JSON.parse(body), null, 1) }
  ],
  "with another id": [false, { ...genuine, headers: { ...headers, "webhook-id": "msg_other" } }],
  "with a newer time": [
    false,
    {
      ...request(-360, secret),
      headers: { ...request(-360, secret).headers, "webhook-timestamp": headers["webhook-timestamp"] }
    }
  ],
  "signed with another secret": [false, request(0, newSecret())],
  "without a signature": [false, { ...genuine, headers: { ...headers, "webhook-signature": "" } }],
  "with a signature of another kind": [
    false,
    { ...genuine, headers: { ...headers, "webhook-signature": headers["webhook-signature"].replace("v1,", "v1a,") } }
  ],
  "with half a signature": [
    false,
    { ...genuine, headers: { ...headers, "webhook-signature": headers["webhook-signature"].slice(0, 20) } }
  ]
}

const isThere = (command: string): boolean => {
  try {
    execFileSync(command, ["--version"], { stdio: "ignore" })
    return true
  } catch {
    return false
  }
}

describe("the guide's check of webhooks tells ours from any other", () => {
  for (const [language, { command, parameters, rest }] of Object.entries(languages)) {
    it(`in ${language}`, (context) => {
      const code = snippet(language)
      const lines = code.split("\n").filter((line) => line.trim().length > 1 && !line.startsWith("import "))
      assert.isAtMost(lines.length, 5)
      if (!isThere(command))
        return context.skip(`${command} is not on the PATH: its code in docs/webhooks.md was not tried`)
      const told = execFileSync(command, parameters(`${code}\n${rest}`), {
        cwd: join(import.meta.dirname, ".."),
        input: JSON.stringify(Object.values(requests).map(([, each]) => each))
      })
      const answers: ReadonlyArray<unknown> = JSON.parse(told.toString())
      assert.deepStrictEqual(
        Object.keys(requests).map((name, index) => [name, answers[index]]),
        Object.entries(requests).map(([name, [isGenuine]]) => [name, isGenuine])
      )
    })
  }
})
