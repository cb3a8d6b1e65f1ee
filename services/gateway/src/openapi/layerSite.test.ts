import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { exchange, rawRequest, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { parse } from "../testing/requests.ts"
import { runGateway } from "../testing/runGateway.ts"
import { adminDocument } from "./publicDocument.ts"

const build = (folder: string) => {
  mkdirSync(join(folder, "assets"), { recursive: true })
  mkdirSync(join(folder, "operators"))
  writeFileSync(join(folder, "index.html"), "<!doctype html><p>The beginning")
  writeFileSync(join(folder, "404.html"), "<!doctype html><p>No page")
  writeFileSync(join(folder, "payments.html"), "<!doctype html><p>Payments")
  writeFileSync(join(folder, "payments.md"), "# Payments\n")
  writeFileSync(join(folder, "reference.html"), "<!doctype html><p>Reference")
  writeFileSync(join(folder, "operators", "audit.html"), "<!doctype html><p>Audit")
  writeFileSync(join(folder, "llms.txt"), "# Partner Care API\n")
  writeFileSync(join(folder, "assets", "site-1.js"), "start()")
}

const withDocs = Effect.gen(function* () {
  const folder = join(yield* temporaryFolder(), "docs")
  const { url } = yield* runGateway({ environment: { DOCS_DIR: folder } })
  const get = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    Effect.promise(async () => {
      const response = await fetch(`${url}${path}`, { headers })
      return { status: response.status, headers: response.headers, text: await response.text() }
    })
  return { folder, get, url }
})

it.live("each page has an address without its ending, beside which it is there as Markdown", () =>
  Effect.gen(function* () {
    const { folder, get } = yield* withDocs
    build(folder)
    const pages = {
      "/docs": "The beginning",
      "/docs/": "The beginning",
      "/docs?a=1": "The beginning",
      "/docs/payments": "Payments",
      "/docs/payments/": "Payments",
      "/docs/operators/audit": "Audit"
    }
    for (const [path, text] of Object.entries(pages)) {
      const answer = yield* get(path)
      assert.deepStrictEqual([path, answer.status, answer.text], [path, 200, `<!doctype html><p>${text}`])
      assert.strictEqual(answer.headers.get("cache-control"), "no-cache")
    }
    const markdown = yield* get(`${"/docs/payments"}.md`)
    assert.deepStrictEqual([markdown.status, markdown.text], [200, "# Payments\n"])
    assert.strictEqual(markdown.headers.get("content-type"), "text/markdown; charset=utf-8")
    assert.strictEqual((yield* get("/docs/llms.txt")).headers.get("content-type"), "text/plain; charset=utf-8")
    assert.strictEqual((yield* get("/llms.txt")).text, "# Partner Care API\n")
    const missing = yield* get("/docs/nothing")
    const again = yield* get("/docs/nothing", { "if-none-match": missing.headers.get("etag") ?? "*" })
    for (const { headers, status, text } of [missing, again]) {
      assert.deepStrictEqual([status, text], [404, "<!doctype html><p>No page"])
      assert.strictEqual(headers.get("care-error-code"), "NOT_FOUND")
    }
  })
)

it.live("no page runs a script that is not a file of the site, and only the reference adds styles", () =>
  Effect.gen(function* () {
    const { folder, get } = yield* withDocs
    build(folder)
    for (const path of ["/docs", "/docs/payments", "/docs/nothing", "/docs/reference"]) {
      const { headers } = yield* get(path)
      const policy = headers.get("content-security-policy")?.split("; ") ?? []
      assert.includeMembers(policy, ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"], path)
      assert.strictEqual(policy.join().includes("unsafe"), path === "/docs/reference", path)
      assert.strictEqual(headers.get("x-content-type-options"), "nosniff")
    }
  })
)

it.live("assets are compressed and kept for ever, pages are revalidated, and nothing beside the folder is read", () =>
  Effect.gen(function* () {
    const { folder, get, url } = yield* withDocs
    build(folder)
    writeFileSync(join(folder, "..", "secret.txt"), "secret")
    const script = yield* get("/docs/assets/site-1.js", { "accept-encoding": "br" })
    assert.deepStrictEqual([script.status, script.text], [200, "start()"])
    assert.deepInclude(Object.fromEntries(script.headers), {
      "content-encoding": "br",
      "cache-control": "public, max-age=31536000, immutable"
    })
    const page = yield* get("/docs", { "accept-encoding": "gzip" })
    const known = { "accept-encoding": "gzip", "if-none-match": page.headers.get("etag") ?? "" }
    assert.strictEqual((yield* get("/docs", known)).status, 304)
    for (const path of ["../secret.txt", "..%2fsecret.txt", "%2e%2e/secret.txt", "assets/none.js", "assets/"]) {
      const answer = yield* exchange(url, rawRequest("GET", `/docs/${path}`))
      assert.deepStrictEqual([path, parse(answer).status, /^secret/m.test(answer)], [path, 404, false])
    }
    assert.strictEqual(parse(yield* exchange(url, rawRequest("POST", "/docs/payments"))).status, 405)
  })
)

it.live("a page that loads again stands in for documentation that is being built; without DOCS_DIR there is none", () =>
  Effect.gen(function* () {
    const { folder, get } = yield* withDocs
    const before = yield* get("/docs/payments")
    assert.deepStrictEqual([before.status, before.headers.get("cache-control")], [503, "no-store"])
    build(folder)
    assert.strictEqual((yield* get("/docs/payments")).status, 200)
    const { url } = yield* runGateway()
    assert.strictEqual(parse(yield* exchange(url, rawRequest("GET", "/docs"))).status, 404)
  })
)

it.live("the documents of the APIs are those that the build wrote, and are made where it wrote none", () =>
  Effect.gen(function* () {
    const { folder, get } = yield* withDocs
    mkdirSync(join(folder, "openapi"), { recursive: true })
    writeFileSync(join(folder, "openapi", "partner.json"), '{"openapi":"3.1.0"}')
    for (const path of ["/openapi.json", "/openapi/partner.json"]) {
      const { headers, status, text } = yield* get(path)
      assert.deepStrictEqual([status, text], [200, '{"openapi":"3.1.0"}'])
      assert.strictEqual(headers.get("content-type"), "application/json")
    }
    assert.strictEqual((yield* get("/openapi/admin.json")).text, JSON.stringify(adminDocument))
  })
)
