import { assert } from "@effect/vitest"
import { admin } from "../harness/call.ts"
import { Browser, ownConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { enter, signedIn, signedInOperator } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(ownConsole, "the operators' screens of the console", (it) => {
  it("invite an operator, reset their sign-in and deactivate them; nobody does it to themselves", function* () {
    const window = yield* signedInOperator("/operators")
    const email = "ada.byron@platform.example.com"
    yield* onPage(window, async (page) => {
      await page.getByRole("row", { name: /Olga Petrova.*You/ }).waitFor()
      assert.strictEqual(await page.getByRole("button", { name: /^(Reset|Deactivate)/ }).count(), 0)
      await page.getByRole("button", { name: "Invite an operator" }).click()
      const dialog = page.getByRole("dialog", { name: "Invite an operator" })
      await dialog.getByText("everything of all organizations").waitFor()
      await dialog.getByLabel("Email").fill("ada")
      await dialog.getByLabel("First name").fill("Ada")
      await dialog.getByLabel("Last name").fill("Byron")
      await dialog.getByRole("button", { name: "Invite" }).click()
      await seen(page, "must be a valid email")
      await dialog.getByLabel("Email").fill(window.email)
      await dialog.getByRole("button", { name: "Invite" }).click()
      await seen(page, `There is an operator with the email ${window.email} already.`)
      await dialog.getByLabel("Email").fill(email)
      await dialog.getByRole("button", { name: "Invite" }).click()
      await page.getByRole("row", { name: /Ada Byron/ }).waitFor()
    })
    const other = yield* (yield* Browser).open()
    yield* enter(other, email, "/operators")
    yield* onPage(other, (page) => page.getByRole("row", { name: /Ada Byron.*You/ }).waitFor())
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Reset sign-in Ada Byron" }).click()
      await page.getByRole("dialog").getByText(email).waitFor()
      await page.getByRole("dialog").getByRole("button", { name: "Reset sign-in" }).click()
      await seen(page, "Ada Byron has to enrol a passkey again")
      await page.getByRole("button", { name: "Deactivate Ada Byron" }).click()
      const dialog = page.getByRole("dialog", { name: "Deactivate the operator?" })
      await dialog.getByText(email).waitFor()
      await dialog.getByRole("button", { name: "Deactivate" }).click()
      await page.getByRole("row", { name: /Ada Byron/ }).waitFor({ state: "detached" })
    })
    const { json } = yield* admin("GET", "/operators")
    assert.deepStrictEqual(
      json.data.map((operator: { readonly email: string }) => operator.email),
      [window.email]
    )
  })

  it("say that the last operator stays", function* () {
    const [first] = (yield* admin("GET", "/operators")).json.data
    const window = yield* signedInOperator("/operators")
    yield* onPage(window, (page) => page.getByRole("button", { name: "Deactivate Olga Petrova" }).waitFor())
    // The page was read before: the other one went by the command line.
    const own = (yield* admin("GET", "/operators")).json.data.find(
      ({ email }: { readonly email: string }) => email === window.email
    )
    assert.strictEqual((yield* admin("DELETE", `/operators/${first.id}`)).status, 204)
    const refused = yield* admin("DELETE", `/operators/${own.id}`)
    assert.deepStrictEqual([refused.status, refused.json.title], [409, "Last operator"])
    yield* onPage(window, async (page) => {
      await page.getByRole("button", { name: "Deactivate Olga Petrova" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Deactivate" }).click()
      await page.getByRole("alert").getByText("Operator not found").waitFor()
    })
  })

  it("add a promo code of no organization, disable it, and show none of an organization", function* () {
    const { organizationId } = yield* makeClinic
    yield* admin("POST", "/promo-codes", { organizationId, code: "OF-CLINIC", percentDiscount: 5 })
    const window = yield* signedInOperator("/promo-codes")
    yield* onPage(window, async (page) => {
      await seen(page, "There is no promo code yet")
      await page.getByRole("button", { name: "Add a promo code" }).click()
      await page.getByRole("dialog").getByText("everything in all organizations").waitFor()
      assert.strictEqual(await page.getByRole("group", { name: "Only for these bundles" }).count(), 0)
      await page.getByLabel("Code", { exact: true }).fill("EVERYWHERE")
      await page.getByLabel("Discount", { exact: true }).fill("15")
      await page.getByRole("button", { name: "Add", exact: true }).click()
      await page.getByRole("row", { name: /EVERYWHERE.*15 %.*Active.*Everything/ }).waitFor()
      assert.strictEqual(await page.getByText("OF-CLINIC").count(), 0)
      await page.getByRole("searchbox", { name: "Code or name" }).fill("of-clinic")
      await seen(page, "No promo code has this code or name")
      await page.getByRole("searchbox", { name: "Code or name" }).fill("everywhere")
      await page.getByRole("button", { name: "Disable EVERYWHERE" }).click()
      await page.getByRole("dialog").getByRole("button", { name: "Disable" }).click()
      await page.getByRole("row", { name: /EVERYWHERE.*Disabled/ }).waitFor()
      await page.goto(`/console/organizations/${organizationId}/promo-codes`)
      await seen(page, "OF-CLINIC")
      assert.strictEqual(await page.getByText("EVERYWHERE").count(), 0)
    })
  })

  it("are not shown to an administrator", function* () {
    const window = yield* signedIn(yield* makeClinic, "ADMIN")
    yield* onPage(window, async (page) => {
      const main = page.getByRole("navigation", { name: "Main" })
      await main.getByRole("link", { name: "Organizations" }).waitFor()
      assert.strictEqual(await main.getByRole("link", { name: /^(Operators|Platform promo codes)$/ }).count(), 0)
    })
  })
})
