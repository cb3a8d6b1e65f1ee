import { assert } from "@effect/vitest"
import { Effect } from "effect"
import type { Page } from "playwright-core"
import { admin, call } from "../harness/call.ts"
import { sharedConsole } from "../harness/console/Browser.ts"
import { changeDraft, holdLooks, onPage, seen } from "../harness/console/onPage.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { addStaff, caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { changeUser } from "../harness/users.ts"

// A picture of one pixel.
const png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

testsOn(sharedConsole, "a case in the console", (it) => {
  const clinicWithCase = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const body = caseBody(clinic, { isTest: true })
    const caseId: string = (yield* createCase(clinic, body)).json.data.caseId
    yield* changeUser(clinic.key, "UPDATE_PROFILE", { email: body.user.email, allergies: "Penicillin" })
    return { clinic, caseId, path: `/cases/${caseId}` }
  })
  const assign = (caseId: string, providerId: string) => admin("POST", `/cases/${caseId}/assign`, { providerId })
  const header = (page: Page) => page.getByRole("region", { name: "Patient and case" })
  const press = async (page: Page, key: string) => {
    await header(page).waitFor()
    await page.keyboard.press(key)
  }

  it("a provider claims a case, begins and approves it by the keyboard, after a confirmation that names patient and allergies", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const window = yield* signedIn(clinic, "PROVIDER", { path })
    yield* onPage(window, async (page) => {
      await header(page).getByText("Penicillin").waitFor()
      await seen(page, "How much do you weigh?")
      await page.getByRole("button", { name: "Claim" }).waitFor()
      await page.keyboard.press("c")
      await page.getByRole("button", { name: "Start work" }).waitFor()
      await page.keyboard.press("s")
      await header(page).getByText("In progress").waitFor()
      await page.keyboard.press("d")
      await page.getByRole("radio", { name: "Approve" }).press("Space")
      await page.getByRole("textbox", { name: "What the patient is told" }).fill("Take it with food")
      await page.getByRole("button", { name: "Add a medicine" }).press("Enter")
      await page.getByRole("textbox", { name: "Medicine", exact: true }).fill("Semaglutide")
      await page.getByRole("textbox", { name: "Dosage" }).fill("0.25 mg")
      await page.keyboard.press("Control+Enter")
      const dialog = page.getByRole("dialog", { name: "Approve for Maria Lopez?" })
      await dialog.getByText(/Maria Lopez, born April 12, 1988/).waitFor()
      for (const text of ["Penicillin", "Semaglutide 0.25 mg"]) await dialog.getByText(text).waitFor()
      await dialog.getByRole("button", { name: "Approve" }).press("Enter")
      await header(page).getByText("Approved").waitFor()
      await page.getByRole("region", { name: "Timeline" }).getByText("Take it with food").waitFor()
    })
    const [decision] = (yield* admin("GET", `/cases/${caseId}/decisions`)).json.data
    assert.deepInclude(decision, { isApproved: true, decisionText: "Take it with food" })
    assert.deepInclude(decision.medInfo[0], { medicine: "Semaglutide", dosage: "0.25 mg" })
  })

  it("where the profile has no allergies, header and confirmation say so and lead to the answers", function* () {
    const clinic = yield* makeClinic
    const [product] = caseBody(clinic).products
    const questions = [{ question: "Which allergies?", answer: "Penicillin", type: "TEXT", required: true, phi: true }]
    const products = [{ ...product, form: { title: "Intake", questions } }]
    const caseId: string = (yield* createCase(clinic, caseBody(clinic, { products, isTest: true }))).json.data.caseId
    const window = yield* signedIn(clinic, "PROVIDER")
    yield* assign(caseId, window.userId)
    yield* onPage(window, async (page) => {
      await page.goto(`/console/cases/${caseId}`)
      const answers = page.locator(":focus").getByText("Penicillin")
      await header(page)
        .getByText(/Allergies: none in the profile, read the answers/)
        .waitFor()
      await header(page).getByRole("button", { name: "read the answers" }).press("Enter")
      await answers.waitFor()
      await press(page, "d")
      await page.getByRole("radio", { name: "Reject" }).press("Space")
      await page.keyboard.press("Control+Enter")
      const dialog = page.getByRole("dialog")
      await dialog.getByText("Reject the whole case (Semaglutide program) for").waitFor()
      await dialog.getByText(/Allergies: none in the profile, read the answers/).waitFor()
      await dialog.getByRole("button", { name: "read the answers" }).press("Enter")
      await dialog.waitFor({ state: "detached" })
      await answers.waitFor()
      assert.isTrue(await page.getByRole("radio", { name: "Reject" }).isChecked())
    })
  })

  it("a decision without an outcome, or with a nameless medicine, says what is missing", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const window = yield* signedIn(clinic, "PROVIDER", { path })
    yield* assign(caseId, window.userId)
    yield* onPage(window, async (page) => {
      await page.reload()
      await page.getByRole("button", { name: "Decide" }).press("Enter")
      await page.getByRole("form", { name: "Decide" }).getByRole("button", { name: "Decide" }).press("Enter")
      await page
        .getByRole("alert")
        .getByText(/Choose whether/)
        .waitFor()
      await page.getByRole("radio", { name: "Approve" }).press("Space")
      await page.getByRole("button", { name: "Add a medicine" }).press("Enter")
      await page.keyboard.press("Control+Enter")
      await page
        .getByRole("alert")
        .getByText(/Name each medicine/)
        .waitFor()
    })
  })

  it("a draft is there again after a reload, unreadable in the browser, of its case alone, and gone once it is sent", function* () {
    const { clinic, path } = yield* clinicWithCase
    const other: string = (yield* createCase(clinic, caseBody(clinic, { isTest: true }))).json.data.caseId
    const window = yield* signedIn(clinic, "SUPPORT", { path })
    const note = (page: Page) => page.getByRole("textbox", { name: "Internal note" })
    const stored = (page: Page) =>
      page.evaluate("JSON.stringify([...Object.entries(sessionStorage), ...Object.entries(localStorage)])")
    yield* onPage(window, async (page) => {
      await press(page, "a")
      await changeDraft(page, () => note(page).fill("Sounds anxious"))
      await page.keyboard.press("Escape")
      await page.reload()
      await press(page, "a")
      assert.strictEqual(await note(page).inputValue(), "Sounds anxious")
      assert.notMatch(String(await stored(page)), new RegExp(`anxious|${path.slice(7)}`))
      await page.goto(`/console/cases/${other}`)
      await press(page, "a")
      assert.strictEqual(await note(page).inputValue(), "")
      await page.goto(`/console${path}`)
      await press(page, "a")
      await page.getByRole("button", { name: "Save note" }).press("Enter")
      await page.getByRole("region", { name: "Timeline" }).getByText("Sounds anxious").waitFor()
      // All of the case is read again before the draft is forgotten.
      await note(page).waitFor({ state: "detached" })
      await page.reload()
      await press(page, "a")
      assert.strictEqual(await note(page).inputValue(), "")
    })
  })

  it("two people see each other, and what one adds appears at the other and is announced", function* () {
    const { clinic, path } = yield* clinicWithCase
    const sam = yield* signedIn(clinic, "SUPPORT", { path, person: { firstName: "Sam", lastName: "Cole" } })
    const ada = yield* signedIn(clinic, "SUPPORT", { path, person: { firstName: "Ada", lastName: "Byron" } })
    const nextPoll = (page: Page) => page.clock.fastForward(10_000)
    yield* onPage(ada, async (page) => {
      await page.clock.install()
      await page.reload()
      await page.getByRole("status").getByText("Sam Cole is here too").waitFor()
    })
    yield* onPage(sam, async (page) => {
      await press(page, "a")
      await page.getByRole("textbox", { name: "Internal note" }).fill("The address is new")
      await page.keyboard.press("Control+Enter")
      await page.getByRole("region", { name: "Timeline" }).getByText("The address is new").waitFor()
    })
    yield* onPage(ada, async (page) => {
      await nextPoll(page)
      await page.getByRole("region", { name: "Timeline" }).getByText("The address is new").waitFor()
      await page.getByRole("status").getByText("Sam Cole: Internal note").waitFor()
    })
    yield* onPage(sam, async (page) => {
      const left = page.waitForRequest((request) => request.method() === "DELETE")
      await page.getByRole("link", { name: "Your account" }).press("Enter")
      await (await (await left).response())?.finished()
    })
    yield* onPage(ada, async (page) => {
      await nextPoll(page)
      await page.getByText("Sam Cole is here too").waitFor({ state: "detached" })
    })
  })

  it("who loses the race for a case reads who won it, and can break the glass for an hour with a reason", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const window = yield* signedIn(clinic, "PROVIDER", { path })
    const grace = yield* addStaff(clinic, { firstName: "Grace", lastName: "Hopper" })
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Claim" }).waitFor()
      await holdLooks(page)
    })
    yield* assign(caseId, grace)
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Claim" }).press("Enter")
      await page
        .getByRole("alert")
        .getByText(/Grace Hopper took this case/)
        .waitFor()
      await page.getByRole("button", { name: "Break the glass" }).press("Enter")
      await page.getByRole("textbox", { name: "Reason" }).fill("A reaction, and Grace is away")
      await page.getByRole("button", { name: "Open the case for an hour" }).press("Enter")
      await header(page)
        .getByText(/Opened by breaking the glass until/)
        .waitFor()
      await header(page).getByText("Penicillin").waitFor()
    })
  })

  it("a decision on a case that was given to another meanwhile is refused in words, and stays a draft", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const window = yield* signedIn(clinic, "PROVIDER", { path })
    yield* assign(caseId, window.userId)
    yield* onPage(window, async (page) => {
      await holdLooks(page)
      await page.reload()
      await press(page, "d")
      await page.getByRole("radio", { name: "Reject" }).press("Space")
      await page.keyboard.press("Control+Enter")
      await page
        .getByRole("dialog")
        .getByText(/Maria Lopez/)
        .first()
        .waitFor()
    })
    const grace = yield* addStaff(clinic, {})
    yield* assign(caseId, grace)
    yield* onPage(window, async (page) => {
      await page.getByRole("dialog").getByRole("button", { name: "Reject" }).press("Enter")
      await page
        .getByRole("alert")
        .getByText(/Another provider has it now/)
        .waitFor()
      await page.getByRole("button", { name: "Break the glass" }).press("Enter")
      await page.getByRole("textbox", { name: "Reason" }).fill("Grace is away")
      await page.keyboard.press("Control+Enter")
      await press(page, "d")
      assert.isTrue(await page.getByRole("radio", { name: "Reject" }).isChecked())
    })
    assert.lengthOf((yield* admin("GET", `/cases/${caseId}/decisions`)).json.data, 0)
  })

  it("a key assigns the case, and is listed", function* () {
    const { clinic, path } = yield* clinicWithCase
    yield* addStaff(clinic, { firstName: "Grace", lastName: "Hopper" })
    const window = yield* signedIn(clinic, "SUPPORT", { path })
    yield* onPage(window, async (page) => {
      await press(page, "?")
      await page.getByRole("dialog").getByText("Give the case to a provider").waitFor()
      await page.keyboard.press("Escape")
      await page.getByRole("dialog").waitFor({ state: "detached" })
      await page.keyboard.press("g")
      await page.getByRole("dialog").getByRole("button", { name: "Assign to Grace Hopper" }).press("Enter")
      await header(page).getByText("Grace Hopper").waitFor()
    })
  })

  it("pictures are shown in their place, and other files are only saved", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const window = yield* signedIn(clinic, "PROVIDER", { path })
    yield* assign(caseId, window.userId)
    const attach = (fileName: string, contentType: string, content: string) =>
      admin("POST", `/cases/${caseId}/attachments`, { uploadedByUserId: window.userId, fileName, contentType, content })
    yield* attach("label.png", "image/png", png)
    yield* attach("values.csv", "text/csv", "YSxi")
    yield* onPage(window, async (page) => {
      await page.reload()
      const files = page.getByRole("region", { name: "Files" })
      await files.getByRole("button", { name: "Show label.png" }).press("Enter")
      const source = await files.getByRole("img", { name: "label.png" }).getAttribute("src")
      assert.match(source ?? "", /^blob:/)
      assert.strictEqual(await files.getByRole("button", { name: "Show values.csv" }).count(), 0)
      const chosen = page.waitForEvent("filechooser")
      await files.getByRole("button", { name: "Add files to the case" }).press("Enter")
      const name = "scan.png"
      await (await chosen).setFiles([{ name, mimeType: "image/png", buffer: Buffer.from(png, "base64") }])
      await files.getByRole("button", { name: `Show ${name}` }).waitFor()
      const saved = page.waitForEvent("download")
      await files.getByRole("button", { name: "Save values.csv" }).press("Enter")
      assert.strictEqual((await saved).suggestedFilename(), "values.csv")
    })
  })

  it("support reads no answers unless its organization allows it, and completes an escalation that is named", function* () {
    const { caseId, clinic, path } = yield* clinicWithCase
    const escalations = [{ type: "support", title: "Cancellation", note: "Wants to cancel" }]
    const body = { action: "ADD_ESCALATION", escalations }
    yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body })
    const window = yield* signedIn(clinic, "SUPPORT", { path })
    yield* onPage(window, async (page) => {
      await seen(page, "Answers and files are not shown to you")
      assert.strictEqual(await page.getByText("How much do you weigh?").count(), 0)
      assert.strictEqual(await page.getByRole("button", { name: "Decide" }).count(), 0)
      await page.getByRole("button", { name: "Complete Cancellation" }).press("Enter")
      const dialog = page.getByRole("dialog")
      await dialog.getByText(/Cancellation.* of case .* of Maria Lopez is done/).waitFor()
      await dialog.getByRole("button", { name: "Complete" }).press("Enter")
      await page.getByRole("region", { name: "Escalations" }).getByText("Completed").waitFor()
    })
    const [escalation] = (yield* admin("GET", `/cases/${caseId}/escalations`)).json.data
    assert.isTrue(escalation.isCompleted)
  })

  it("an id that is none, and a role that reads no cases, are said in words", function* () {
    const { clinic, path } = yield* clinicWithCase
    const support = yield* signedIn(clinic, "SUPPORT", { path: "/cases/7" })
    yield* onPage(support, (page) => seen(page, "There is no such case"))
    const administrator = yield* signedIn(clinic, "ADMIN", { path })
    yield* onPage(administrator, (page) => seen(page, "Your role does not read cases"))
  })
})
