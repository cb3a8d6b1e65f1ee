import { assert } from "@effect/vitest"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { createDynamicCase } from "../harness/dynamicCases.ts"
import { type Clinic, dynamicBody, makeClinic, weightQuestion } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

const script = "localStorage.setItem('ran', 'yes'); alert(1)"
const page = `<!doctype html><h1>Sign in again</h1><script>${script}</script>`
const drawing = `<svg xmlns="http://www.w3.org/2000/svg"><script>${script}</script></svg>`

const file = (name: string, contentType: string, content: string) => ({
  name,
  contentType,
  data: Buffer.from(content).toString("base64")
})

const refused = [
  file("page.html", "text/html", page),
  file("page.xhtml", "application/xhtml+xml", page),
  file("drawing.svg", "image/svg+xml", drawing),
  file("script.js", "text/javascript", script),
  file("page.html", "text/plain", page),
  file("drawing.png", "image/png", drawing),
  file("page.pdf", "application/pdf", page)
]

// Files that begin as what they say that they are.
const saved = [file("page.html", "text/plain", `Hello ${page}`), file("drawing.svg", "text/plain", `Hello ${drawing}`)]
const shown = [
  file("page.gif", "image/gif", `GIF89a=1;/*${page}`),
  file("page.pdf", "application/pdf", `%PDF-1.7\n${page}`)
]

testsOn(sharedConsole, "hostile files", (it) => {
  const create = (clinic: Clinic, answer: unknown) =>
    createDynamicCase(
      clinic,
      dynamicBody({
        isTest: true,
        questions: [weightQuestion, { question: "Your ID", type: "FILE", required: false, answer }]
      })
    )

  it("are refused if they are HTML, SVG or a script, whatever they say that they are", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* create(clinic, [saved[0]])).json.data.caseId
    const { userId: uploadedByUserId } = yield* signedIn(clinic, "PROVIDER")
    for (const { contentType, data: content, name: fileName } of refused) {
      const name = `${fileName} ${contentType}`
      const answered = yield* create(clinic, [{ name: fileName, data: content, contentType }])
      assert.strictEqual(answered.status, 400, name)
      assert.match(answered.json.error, /files of this type are not accepted|not of the declared type/, name)
      const body = { uploadedByUserId, fileName, contentType, content }
      assert.strictEqual((yield* admin("POST", `/cases/${caseId}/attachments`, body)).status, 422, name)
    }
  })

  it("are saved and never run in the console's origin, if they begin as a text, a picture or a document", function* () {
    const clinic = yield* makeClinic
    const caseId: string = (yield* create(clinic, [...saved, ...shown])).json.data.caseId
    const window = yield* signedIn(clinic, "PROVIDER", { path: `/cases/${caseId}` })
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: window.userId })
    const detail = (yield* admin("GET", `/cases/${caseId}`)).json
    const paths = detail.attachments.map(({ id }: { readonly id: string }) => `/admin/v1/cases/${caseId}/files/${id}`)
    const query = `caseId=${caseId}&includeAttachments=true&documentFormat=url`
    const { json } = yield* call("GET", `/api/v1/customer-case-detail?${query}`, { key: clinic.key })
    const links = json.caseDetail.attachments.map(({ url }: { readonly url: string }) => {
      const { pathname, search } = new URL(url)
      return `${pathname}${search}`
    })
    assert.lengthOf([...paths, ...links], 8)
    yield* onPage(window, async (page) => {
      const ran: Array<string> = []
      window.context.on("dialog", (dialog) => {
        ran.push(dialog.message())
        return dialog.dismiss()
      })
      await page.reload()
      for (const { name } of [...saved, ...shown]) {
        const download = page.waitForEvent("download")
        await page
          .getByRole("button", { name: `Save ${name}` })
          .first()
          .click()
        assert.strictEqual((await download).suggestedFilename(), name)
      }
      for (const { name } of saved) {
        assert.strictEqual(await page.getByRole("button", { name: `Show ${name}` }).count(), 0, name)
      }
      for (const { name } of shown) {
        await page
          .getByRole("button", { name: `Show ${name}` })
          .first()
          .click()
        await page.locator(`img[alt="${name}"], iframe[title="${name}"]`).first().waitFor({ state: "attached" })
      }
      await page.waitForLoadState("networkidle")
      const tab = await window.context.newPage()
      for (const path of [...paths, ...links]) {
        const download = tab.waitForEvent("download")
        // The browser saves what it opens, and goes nowhere.
        assert.match(await tab.goto(path).then(() => "shown", String), /Download is starting/, path)
        await download
      }
      assert.deepStrictEqual(ran, [])
      assert.isNull(await page.evaluate("localStorage.getItem('ran')"))
      assert.strictEqual(new URL(page.url()).pathname, `/console/cases/${caseId}`)
    })
  })

  it("would be seen to run", function* () {
    const window = yield* signedIn(yield* makeClinic, "PROVIDER", { path: "/account" })
    yield* onPage(window, async (page) => {
      const dialog = page.waitForEvent("dialog")
      const asked = page.evaluate(script)
      await (await dialog).dismiss()
      await asked
      assert.strictEqual(await page.evaluate("localStorage.getItem('ran')"), "yes")
    })
  })
})
