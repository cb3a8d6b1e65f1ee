import { readdirSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { adminDocument, publicDocument } from "@care/gateway/openapi"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { inject } from "vitest"
import { Browser, type ConsoleWindow, sharedConsole, type WindowOptions } from "../harness/console/Browser.ts"
import { findingsOn } from "../harness/console/findings.ts"
import { onPage } from "../harness/console/onPage.ts"
import { testsOn } from "../harness/testsOn.ts"

const minutes = 60_000

const pages = readdirSync(inject("docsFolder"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".html") && !/reference|404|index/.test(file))
  .map((file) => `/docs/${file.replace(/\.html$/, "")}`)

const find = async (page: Page, words: string) => {
  await page.keyboard.press("/")
  await page.getByRole("combobox", { name: "Search" }).fill(words)
  await page.getByRole("option").first().waitFor()
  return page.getByRole("option").allTextContents()
}

// What axe finds in Scalar, which neither its settings nor styles change.
const ofScalar = [
  // Buttons of its sidebar say whether they are selected, as tabs do.
  "aria-allowed-attr",
  // Its sidebar is an aside with the role of a navigation.
  "aria-allowed-role",
  // The editor of the key has no label.
  "aria-input-field-name",
  // "Show more" is announced as "Show all ... endpoints".
  "label-content-name-mismatch",
  // Its bar in narrow windows is a second header.
  "landmark-no-duplicate-banner",
  // Several examples of answers are regions of one name.
  "landmark-unique"
]

testsOn(sharedConsole, "the documentation", (it) => {
  const opened = Effect.fnUntraced(function* (options?: WindowOptions) {
    return yield* (yield* Browser).open(options)
  })

  // Returns the bytes of all answers on the wire, with their headers.
  const bytesOf = ({ context, page }: ConsoleWindow, path: string) =>
    Effect.promise(async () => {
      const devTools = await context.newCDPSession(page)
      await devTools.send("Network.enable")
      const sizes: Array<number> = []
      devTools.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength))
      await page.goto(path, { waitUntil: "networkidle" })
      await devTools.detach()
      return sizes.reduce((sum, size) => sum + size, 0)
    })

  it("has a first view of 30 kB at most, without the reference and the search", function* () {
    for (const path of ["/docs", "/docs/payments"]) {
      const bytes = yield* bytesOf(yield* opened(), path)
      assert.isAbove(bytes, 3_000)
      assert.isBelow(bytes, 30_000, path)
    }
  })

  it("finds a guide, an operation by its path and by its words, and an event, by keyboard alone", function* () {
    const window = yield* opened()
    yield* onPage(window, async (page) => {
      await page.goto("/docs")
      assert.match((await find(page, "promo codes"))[0] ?? "", /Promo codes.*Payments/)
      await page.keyboard.press("Enter")
      await page.waitForURL("**/docs/payments#promo-codes")
      const found = await find(page, "provider-availability")
      assert.include(found.join(), "GET /api/v1/calendar/provider-availability")
      await page.keyboard.press("Escape")
      assert.include((await find(page, "case.order.updated")).join(), "Event")
      await page.keyboard.press("Escape")
      assert.include((await find(page, "idempotency"))[0], "Idempotency")
      await page.keyboard.press("ArrowDown")
      assert.strictEqual(await page.locator('[role="option"][aria-selected="true"]').getAttribute("id"), "result-1")
      await page.getByRole("combobox").fill("zzyzx qqwx")
      await page.getByText("Nothing is found.").waitFor()
    })
  })

  it("leads from the search to the place of an operation in the reference", function* () {
    const window = yield* opened()
    yield* onPage(window, async (page) => {
      await page.goto("/docs")
      await find(page, "POST /api/v1/webhook-endpoints add")
      await page.keyboard.press("Enter")
      await page.waitForURL("**/docs/reference#tag/webhook-endpoints/POST/api/v1/webhook-endpoints*")
      await page
        .getByRole("heading", { name: /Add an endpoint|Register|Add a webhook/ })
        .first()
        .waitFor()
    })
  })

  it("shows the reference of each API with its own operations, and nothing of another server", function* () {
    const window = yield* opened()
    const foreign: Array<string> = []
    window.page.on("request", (request) => {
      if (!request.url().startsWith(window.origin)) foreign.push(request.url())
    })
    yield* onPage(window, async (page) => {
      await page.goto("/docs/reference")
      await page.getByText("Case intake", { exact: true }).first().waitFor()
      await page.goto("/docs/operators/reference")
      await page.getByText("Admin: jobs", { exact: true }).first().waitFor()
    })
    assert.deepStrictEqual(foreign, [])
  })

  it("has the documents of both APIs, as the contracts make them", function* () {
    const { page } = yield* opened()
    for (const [path, document] of [
      ["/openapi/partner.json", publicDocument],
      ["/openapi/admin.json", adminDocument]
    ] as const) {
      assert.strictEqual(readFileSync(join(inject("docsFolder"), path), "utf8"), JSON.stringify(document))
      const answer = yield* Effect.promise(() => page.request.get(path))
      assert.strictEqual(yield* Effect.promise(() => answer.text()), JSON.stringify(document))
    }
  })

  it("switches all blocks of code to the chosen language, copies what is shown, and remembers light or dark", function* () {
    const window = yield* opened()
    yield* Effect.promise(() => window.context.grantPermissions(["clipboard-read", "clipboard-write"]))
    yield* onPage(window, async (page) => {
      await page.goto("/docs/quick-start")
      await page.getByRole("tab", { name: "curl" }).first().focus()
      await page.keyboard.press("ArrowRight")
      assert.strictEqual(await page.getByRole("tab", { name: "TypeScript", selected: true }).count(), 3)
      const block = page.locator(".code.tabs").first()
      await block.hover()
      await block.getByRole("button", { name: "Copy" }).click()
      await page.getByRole("status").filter({ hasText: "Copied" }).waitFor()
      const copied = await page.evaluate("navigator.clipboard.readText()")
      assert.match(String(copied), /^import \{ Care \}/)
      assert.include(String(copied), window.origin)
      const background = () => page.evaluate("getComputedStyle(document.body).backgroundColor")
      const light = await background()
      await page.getByRole("button", { name: "Dark mode" }).click()
      const dark = await background()
      assert.notStrictEqual(light, dark)
      await page.reload()
      assert.strictEqual(await background(), dark)
      assert.strictEqual(await page.getByRole("tab", { name: "TypeScript", selected: true }).count(), 3)
    })
  })

  it("has a menu in narrow windows, which Escape closes", function* () {
    const window = yield* opened({ width: 375, height: 700 })
    yield* onPage(window, async (page) => {
      await page.goto("/docs/payments")
      const link = page.locator("#navigation").getByText("Order medication")
      assert.isFalse(await link.isVisible())
      await page.getByRole("button", { name: "Menu" }).click()
      assert.isTrue(await link.isVisible())
      await page.keyboard.press("Escape")
      assert.isFalse(await link.isVisible())
    })
  })

  it("fills in the keys of a demo: that of the sandbox where a guide is about it", function* () {
    const window = yield* opened()
    yield* onPage(window, async (page) => {
      const live = { apiKey: "cv_live_demo", productId: "live-product" }
      const test = { testApiKey: "cv_test_demo", testProductId: "test-product" }
      await page.route("**/docs/demo.json", (route) => route.fulfill({ json: { ...live, ...test } }))
      for (const [path, key, product] of [
        ["/docs/quick-start", test.testApiKey, test.testProductId],
        ["/docs/payments", live.apiKey, live.productId]
      ] as const) {
        await page.goto(path)
        const code = page.locator("code", { hasText: `KEY=${key} ` }).first()
        await code.waitFor()
        assert.include(await code.textContent(), `PRODUCT=${product} `, path)
      }
    })
  })

  it("names each page as Markdown and llms.txt in its head, which lists them all", function* () {
    const window = yield* opened()
    yield* onPage(window, async (page) => {
      await page.goto("/docs/payments")
      const address = await page.locator('link[type="text/markdown"]').getAttribute("href")
      const markdown = await (await page.request.get(String(address))).text()
      assert.match(markdown, /^# Payments\n/)
      assert.include(markdown, "(/docs/first-case.md)")
      const list = await (await page.request.get("/docs/llms.txt")).text()
      for (const path of pages) assert.include(list, `(${path}.md)`)
      for (const [, link = ""] of list.matchAll(/\]\((\/docs[^)]+)\)/g)) {
        assert.strictEqual((await page.request.get(link)).status(), 200, link)
      }
    })
  })

  it("follows an anchor in capitals, as the codes of errors are", function* () {
    const window = yield* opened()
    yield* onPage(window, async (page) => {
      await page.goto("/docs/payments#PROMO-CODES")
      await page.waitForURL("**/docs/payments#promo-codes")
      // No anchor stops the scripts of the page.
      await page.goto("/docs/orders#100%")
      await page.keyboard.press("/")
      await page.getByRole("combobox", { name: "Search" }).waitFor()
    })
  })

  it("has no link to nowhere, in pages and in the navigation", function* () {
    const window = yield* opened()
    yield* onPage(window, async (page) => {
      const targets = new Map<string, ReadonlyArray<string>>()
      const wanted = new Set<string>()
      for (const path of ["/docs", ...pages]) {
        await page.goto(path)
        targets.set(path, await page.locator("[id]").evaluateAll((all) => all.map(({ id }) => id)))
        const links = await page.locator("a[href^='/'], a[href^='#']").evaluateAll((all) => all.map((a) => String(a)))
        for (const link of links) wanted.add(link.slice(window.origin.length))
      }
      const missing = []
      for (const link of wanted) {
        const [path = "", anchor] = link.split("#")
        const known = targets.get(path)
        if (known === undefined && !(await page.request.get(path)).ok()) missing.push(link)
        if (known !== undefined && anchor !== undefined && !known.includes(decodeURIComponent(anchor)))
          missing.push(link)
      }
      assert.deepStrictEqual(missing, [])
    })
  })

  it(
    "is accessible on every page in both themes and at 375 px, with an open search",
    function* () {
      const window = yield* opened()
      const findings = yield* onPage(window, async (page) => {
        const all = []
        for (const path of ["/docs", "/docs/nothing", ...pages]) {
          await page.goto(path)
          all.push(...(await findingsOn(page, path)))
        }
        await page.goto("/docs")
        await find(page, "payment")
        all.push(...(await findingsOn(page, "search")))
        return all
      })
      assert.deepStrictEqual(findings, [])
    },
    9 * minutes
  )

  it(
    "has references that are accessible but for what Scalar lacks, in both themes and at 375 px, and keep to their policy",
    function* () {
      const window = yield* opened()
      const findings = yield* onPage(window, async (page) => {
        const all = []
        for (const [path, tag] of [
          ["/docs/reference", "Case intake"],
          ["/docs/operators/reference", "Admin: jobs"]
        ] as const) {
          await page.goto(path)
          await page.getByText(tag, { exact: true }).first().waitFor()
          all.push(...(await findingsOn(page, path)))
        }
        return all
      })
      const others = findings.filter((finding) => !ofScalar.some((rule) => finding.includes(`: ${rule}, `)))
      assert.deepStrictEqual(others, [])
      for (const rule of ofScalar) {
        assert.isTrue(
          findings.some((finding) => finding.includes(`: ${rule}, `)),
          `${rule} is found no more`
        )
      }
      assert.deepStrictEqual(window.mistakes, [])
    },
    5 * minutes
  )
})
