import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin } from "../harness/call.ts"
import { Browser, sharedConsole } from "../harness/console/Browser.ts"
import { kept } from "../harness/console/kept.ts"
import { onPage } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { addStaff, caseBody, createCase, makeClinic, newPatient } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { changeUser } from "../harness/users.ts"

const titled = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name }).waitFor()

testsOn(sharedConsole, "what the console leaves in a browser", (it) => {
  const markers = {
    lastName: "Nachtigall",
    answer: "answer7401",
    allergies: "allergy7402",
    comment: "comment7403",
    note: "draft7404",
    decision: "draft7405",
    medicine: "medicine7406"
  }
  const caseOfPatient = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const user = { ...newPatient(), lastName: markers.lastName }
    const question = { question: "Weight?", answer: markers.answer, type: "TEXT" }
    const products = [{ id: clinic.productId, form: { title: "Intake", questions: [question] } }]
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { user, products, isTest: true }))).json.data
      .caseId
    yield* changeUser(clinic.key, "UPDATE_PROFILE", { email: user.email, allergies: markers.allergies })
    return { clinic, caseId, user }
  })

  it("is nothing of health, no name, no code and no draft that could be read", function* () {
    const { caseId, clinic, user } = yield* caseOfPatient
    const window = yield* signedIn(clinic, "PROVIDER", { path: `/cases/${caseId}` })
    yield* admin("POST", `/cases/${caseId}/assign`, { providerId: window.userId })
    yield* admin("POST", `/cases/${caseId}/comments`, {
      authorUserId: window.userId,
      text: markers.comment,
      isRestricted: false
    })
    const told = [...Object.values(markers), user.email, user.phoneNumber, "Maria", window.email, "Rivera"]
    const urls: Array<string> = []
    const titles: Array<string> = []
    yield* onPage(window, async (page) => {
      page.on("request", (request) => urls.push(request.url()))
      await page.reload()
      for (const text of [markers.answer, markers.comment]) await page.getByText(text).first().waitFor()
      titles.push(await page.title())
      await page.getByRole("button", { name: "Start work" }).click()
      await page.keyboard.press("a")
      await page.getByRole("textbox", { name: "Internal note" }).fill(markers.note)
      await page.keyboard.press("Escape")
      await page.getByRole("button", { name: "Decide" }).first().click()
      await page.getByRole("radio", { name: "Approve" }).press("Space")
      await page.getByRole("textbox", { name: "What the patient is told" }).fill(markers.decision)
      await page.getByRole("button", { name: "Add a medicine" }).press("Enter")
      await page.getByRole("textbox", { name: "Medicine", exact: true }).fill(markers.medicine)
      while (Number(await page.evaluate("sessionStorage.length")) < 2) await page.getByRole("form").first().waitFor()
      const worked = `${await page.evaluate(kept)} ${await page.title()}`
      assert.isEmpty(told.filter((text) => worked.includes(text)))
      await page.goto("/console/search")
      await page.getByRole("searchbox").fill(user.email)
      await page.getByText(markers.lastName).first().waitFor()
      titles.push(await page.title())
      const searched = `${await page.evaluate(kept)} ${urls.join()} ${titles.join()}`
      assert.isEmpty(told.filter((text) => searched.includes(text) || searched.includes(encodeURIComponent(text))))
      assert.isAbove(urls.length, 10)
    })
  })

  it("is no code of the sign-in", function* () {
    const clinic = yield* makeClinic
    const email = `codes.${clinic.organizationId}@clinic.example.com`
    yield* addStaff(clinic, { email, role: "SUPPORT" })
    const window = yield* (yield* Browser).open()
    const codes = yield* onPage(window, async (page) => {
      await page.goto("/console/sign-in")
      await page.getByLabel("Email").fill(email)
      await page.keyboard.press("Enter")
      await page.getByRole("button", { name: "Use this code" }).click()
      const code = await page.getByRole("textbox", { name: "Code" }).inputValue()
      await page.getByRole("button", { name: "Continue" }).click()
      await page.getByLabel("Name of the passkey").fill("Laptop")
      await page.getByRole("button", { name: "Make a passkey" }).click()
      const list = page.getByRole("list", { name: "Recovery codes" })
      await list.waitFor()
      const recovery = await list.getByRole("listitem").allTextContents()
      const during = String(await page.evaluate(kept))
      await page.getByRole("checkbox", { name: "I have kept them" }).check({ force: true })
      await page.getByRole("button", { name: "Continue" }).click()
      await titled(page, "Start")
      const after = String(await page.evaluate(kept))
      return [code, ...recovery, email].map((text) => ({ text, isKept: `${during} ${after}`.includes(text) }))
    })
    assert.lengthOf(codes, 12)
    assert.isEmpty(codes.filter(({ isKept, text }) => isKept || text.length < 6))
  })

  it("would be found by this test", function* () {
    const window = yield* signedIn(yield* makeClinic, "SUPPORT", { path: "/account" })
    yield* onPage(window, async (page) => {
      await titled(page, "Your account")
      const marker = markers.answer
      for (const [place, put] of [
        ["localStorage", `localStorage.setItem("x", "${marker}")`],
        ["sessionStorage", `sessionStorage.setItem("${marker}", "x")`],
        ["the title", `document.title = "${marker}"`],
        ["the address", `history.replaceState(null, "", "?q=${marker}")`],
        ["a cookie", `document.cookie = "x=${marker}"`],
        ["a request", `fetch("/console?q=${marker}").then((answer) => answer.text())`],
        [
          "IndexedDB",
          `new Promise((resolve) => {
            const opening = indexedDB.open("x")
            opening.onupgradeneeded = () => opening.result.createObjectStore("y")
            opening.onsuccess = () => {
              const writing = opening.result.transaction("y", "readwrite")
              writing.objectStore("y").put("${marker}", 1)
              writing.oncomplete = () => { opening.result.close(); resolve() }
            }
          })`
        ]
      ] as const) {
        const tab = await window.context.newPage()
        await tab.goto("/console/account")
        await titled(tab, "Your account")
        assert.notInclude(String(await tab.evaluate(kept)), marker, place)
        await tab.evaluate(put)
        assert.include(String(await tab.evaluate(kept)), marker, place)
        await tab.evaluate(`localStorage.clear(); document.cookie = "x=; max-age=0"`)
        await tab.close()
      }
    })
  })
})
