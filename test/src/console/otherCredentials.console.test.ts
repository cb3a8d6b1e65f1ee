import { SoftAuthenticator } from "@care/auth/testing"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "../harness/call.ts"
import { Browser, type ConsoleWindow, sharedConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { enter, fetchIn } from "../harness/console/signedIn.ts"
import { addStaff, makeClinic } from "../harness/fixtures.ts"
import { codeSentTo, codesSentTo, signIn } from "../harness/signIn.ts"
import { testsOn } from "../harness/testsOn.ts"
import { clinicWithPatient } from "../harness/users.ts"

const cookieName = "care_staff"

testsOn(sharedConsole, "other credentials at the console", (it) => {
  const plant = ({ context, origin }: ConsoleWindow, value: string) =>
    Effect.promise(() => context.addCookies([{ name: cookieName, value, url: origin }]))
  const cookieOf = ({ context }: ConsoleWindow) =>
    Effect.promise(async () => (await context.cookies()).find(({ name }) => name === cookieName))
  const newMember = Effect.gen(function* () {
    const clinic = yield* makeClinic
    const email = `member.${clinic.organizationId}@clinic.example.com`
    return { email, userId: yield* addStaff(clinic, { email, role: "SUPPORT" }) }
  })
  /** Asks for a code and uses it, so that a passkey is still needed. */
  const useCode = Effect.fnUntraced(function* (window: ConsoleWindow, email: string) {
    const known = yield* codesSentTo(email)
    yield* onPage(window, (page) => page.goto("/console/sign-in"))
    yield* fetchIn(window, "POST", "/session/code", { email })
    return yield* fetchIn(window, "POST", "/session", { email, code: yield* codeSentTo(email, known) })
  })

  it("a patient's token and a partner's key are no session of staff", function* () {
    const { caseId, clinic, user } = yield* clinicWithPatient
    const { accessToken, refreshToken } = yield* signIn(clinic.key, user.email)
    for (const credential of [accessToken, refreshToken, clinic.key]) {
      for (const headers of [
        { authorization: `Bearer ${credential}` },
        { cookie: `${cookieName}=${credential}` },
        { "cv-api-key": credential }
      ]) {
        for (const path of ["/cases", `/cases/${caseId}`, "/session"]) {
          const { status } = yield* call("GET", `/admin/v1${path}`, { headers })
          assert.strictEqual(status, 401, `${Object.keys(headers)} ${path}`)
        }
      }
      const window = yield* (yield* Browser).open()
      yield* plant(window, credential)
      yield* onPage(window, async (page) => {
        await page.goto(`/console/cases/${caseId}`)
        await page.getByRole("heading", { name: "Sign in" }).waitFor()
        assert.notInclude(await page.locator("body").textContent(), user.lastName)
      })
    }
  })

  it("a cookie that somebody planted is not the one after the sign-in, and is worth nothing then", function* () {
    const attacker = yield* (yield* Browser).open()
    yield* useCode(attacker, (yield* newMember).email)
    const planted = (yield* cookieOf(attacker))?.value ?? ""
    assert.notStrictEqual(planted, "")
    const { email, userId } = yield* newMember
    const window = yield* (yield* Browser).open()
    yield* plant(window, planted)
    yield* enter(window, email, "/account")
    const cookie = yield* cookieOf(window)
    assert.notStrictEqual(cookie?.value, planted)
    assert.deepInclude(cookie, { httpOnly: true, sameSite: "Strict", path: "/" })
    assert.strictEqual((yield* fetchIn(window, "GET", "/session")).json.user.id, userId)
    assert.strictEqual((yield* fetchIn(attacker, "GET", "/session")).status, 401)
  })

  it("a passkey of another origin is neither enrolled nor used", function* () {
    const { email } = yield* newMember
    const window = yield* (yield* Browser).open()
    assert.strictEqual((yield* useCode(window, email)).json.state, "PENDING")
    const stateOf = (of: ConsoleWindow) => Effect.map(fetchIn(of, "GET", "/session"), ({ json }) => json.state)
    const own = new SoftAuthenticator(window.origin)
    const others = ["https://evil.example", "http://localhost:1", `${window.origin}.evil.example`, "null"]
    const creation = Effect.map(fetchIn(window, "POST", "/session/passkeys/registration"), ({ json }) => json)
    for (const origin of others) {
      const credential = new SoftAuthenticator(origin).create(yield* creation)
      const { status } = yield* fetchIn(window, "POST", "/session/passkeys", { name: "Key", credential })
      assert.strictEqual(status, 401, origin)
    }
    assert.strictEqual(yield* stateOf(window), "PENDING")
    const credential = own.create(yield* creation)
    assert.strictEqual((yield* fetchIn(window, "POST", "/session/passkeys", { name: "Key", credential })).status, 201)

    const elsewhere = yield* (yield* Browser).open()
    yield* useCode(elsewhere, email)
    for (const origin of [...others, undefined]) {
      const { json } = yield* fetchIn(elsewhere, "POST", "/session/passkeys/assertion")
      const used = own.use(json, origin === undefined ? {} : { origin })
      const { status } = yield* fetchIn(elsewhere, "POST", "/session/passkeys/assert", used)
      assert.strictEqual(status, origin === undefined ? 200 : 401, origin)
      assert.strictEqual(yield* stateOf(elsewhere), origin === undefined ? "ACTIVE" : "PENDING", origin)
    }
  })

  it("200 wrong codes sign nobody in, nor does the right one after them, and the page says so plainly", function* () {
    const { email } = yield* newMember
    const window = yield* (yield* Browser).open()
    const field = yield* onPage(window, async (page) => {
      await page.goto("/console/sign-in")
      await page.getByLabel("Email").fill(email)
      await page.keyboard.press("Enter")
      return page.getByRole("textbox", { name: "Code" })
    })
    const right = yield* codeSentTo(email)
    const wrong = [...Array(201).keys()].map((count) => String(100_000 + count)).filter((code) => code !== right)
    for (const code of wrong.slice(0, 200)) {
      assert.include([401, 429], (yield* fetchIn(window, "POST", "/session", { email, code })).status)
    }
    yield* onPage(window, async (page) => {
      await field.fill(right)
      await page.getByRole("button", { name: "Continue" }).click()
      const alert = page.getByRole("alert")
      await alert.waitFor()
      assert.match((await alert.textContent()) ?? "", /^[A-Z][\w’' ]+\. [A-Z][^{}]*\./)
      await page.goto("/console/queue")
      await page.getByRole("heading", { name: "Sign in" }).waitFor()
    })
    assert.isUndefined(yield* cookieOf(window))
  })
})
