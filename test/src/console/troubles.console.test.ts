import { assert } from "@effect/vitest"
import { call } from "../harness/call.ts"
import { ownConsole } from "../harness/console/Browser.ts"
import { onPage } from "../harness/console/onPage.ts"
import { signedInOperator } from "../harness/console/signedIn.ts"
import { caseBody, createCase, makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(ownConsole, "the operator's start screen", (it) => {
  it("says where something is wrong, and leads there", function* () {
    const window = yield* signedInOperator("/")
    yield* onPage(window, (page) => page.getByText("Nothing is wrong").waitFor())
    const clinic = yield* makeClinic
    const caseId: string = (yield* createCase(clinic, caseBody(clinic))).json.data.caseId
    const escalations = [{ type: "support", title: "Hold Order" }]
    yield* call("POST", `/api/v1/cases/${caseId}`, { key: clinic.key, body: { action: "ADD_ESCALATION", escalations } })
    yield* onPage(window, async (page) => {
      for (const path of ["webhooks", ""]) {
        await page.goto(`/console/${path}`)
        await page.getByRole("table", { name: "Organizations with troubles" }).waitFor()
      }
      await page.getByRole("link", { name: "1 open escalations" }).click()
      await page.getByRole("heading", { level: 1, name: "Escalations" }).waitFor()
      await page.getByText("Hold Order").first().waitFor()
      await page.getByRole("link", { name: "Start" }).click()
      await page.getByText("Everything else").waitFor()
      assert.strictEqual(await page.getByRole("table", { name: "Organizations with troubles" }).count(), 0)
    })
  })
})
