import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exchange, rawRequest, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"

const build = (folder: string) => {
  mkdirSync(join(folder, "assets"), { recursive: true })
  writeFileSync(join(folder, "index.html"), "<!doctype html><p>The page")
  writeFileSync(join(folder, "secret.txt"), "secret")
  writeFileSync(join(folder, "assets", "main-1.js"), "start()")
  writeFileSync(join(folder, "assets", "main-1.css"), "p {}")
}

const withConsole = Effect.gen(function* () {
  const folder = join(yield* temporaryFolder(), "console")
  const { url } = yield* runGateway({ environment: { CONSOLE_DIR: folder } })
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, { headers })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  return { folder, get, url }
})

it.live("every path of the console is its page, and its assets are kept for ever", () =>
  Effect.gen(function* () {
    const { folder, get } = yield* withConsole
    build(folder)
    for (const path of ["/console", "/console/", "/console?next=1", "/console/cases/7?tab=1", "/console/secret.txt"]) {
      const { headers, status, text } = yield* get(path)
      assert.deepStrictEqual([path, status, text], [path, 200, "<!doctype html><p>The page"])
      assert.strictEqual(headers.get("content-type"), "text/html; charset=utf-8")
      assert.strictEqual(headers.get("cache-control"), "no-cache")
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
      assert.strictEqual(headers.get("referrer-policy"), "no-referrer")
      const policy = headers.get("content-security-policy")?.split("; ") ?? []
      assert.includeMembers(policy, [
        "default-src 'none'",
        "script-src 'self'",
        "frame-ancestors 'none'",
        "base-uri 'none'",
        "form-action 'none'",
        "require-trusted-types-for 'script'"
      ])
      assert.notInclude(policy.join(), "unsafe")
    }
    const script = yield* get("/console/assets/main-1.js", { "accept-encoding": "br" })
    assert.deepStrictEqual([script.status, script.text], [200, "start()"])
    assert.deepInclude(Object.fromEntries(script.headers), {
      "content-type": "text/javascript; charset=utf-8",
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable",
      "cross-origin-resource-policy": "same-origin",
      "x-content-type-options": "nosniff"
    })
    assert.isNull(script.headers.get("content-security-policy"))
    const etag = script.headers.get("etag") ?? ""
    const known = { "accept-encoding": "br", "if-none-match": etag }
    assert.strictEqual((yield* get("/console/assets/main-1.js", known)).status, 304)
  })
)

it.live("nothing beside the assets of the console is read from the disk", () =>
  Effect.gen(function* () {
    const { folder, get, url } = yield* withConsole
    build(folder)
    assert.strictEqual((yield* get("/console/assets/main-1.css")).status, 200)
    for (const name of ["main-2.js", "..%2fsecret.txt", "%2e%2e/secret.txt", "../secret.txt", "main-1.js/", ""]) {
      const answer = yield* exchange(url, rawRequest("GET", `/console/assets/${name}`))
      assert.deepStrictEqual([name, parse(answer).status, answer.includes("secret")], [name, 404, false])
    }
  })
)

it.live("a page that loads again stands in for a console that is being built", () =>
  Effect.gen(function* () {
    const { folder, get } = yield* withConsole
    const before = yield* get("/console")
    assert.deepStrictEqual([before.status, before.headers.get("cache-control")], [503, "no-store"])
    assert.match(before.text, /http-equiv="refresh".*being built/)
    build(folder)
    assert.deepStrictEqual((yield* get("/console")).status, 200)
  })
)

it.live("a gateway without CONSOLE_DIR has no console, and no other method has one", () =>
  Effect.gen(function* () {
    const { url } = yield* runGateway()
    assert.strictEqual(parse(yield* exchange(url, rawRequest("GET", "/console"))).status, 404)
    const { folder, url: other } = yield* withConsole
    build(folder)
    assert.strictEqual(parse(yield* exchange(other, rawRequest("POST", "/console/sign-in"))).status, 405)
    assert.strictEqual(parse(yield* exchange(other, rawRequest("GET", "/consoles"))).status, 404)
  })
)
