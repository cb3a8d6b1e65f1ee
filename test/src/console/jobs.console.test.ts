import { assert } from "@effect/vitest"
import { admin } from "../harness/call.ts"
import { ownConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedInOperator } from "../harness/console/signedIn.ts"
import { failedPayment } from "../harness/failedPayment.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"
import { until } from "../harness/until.ts"

testsOn(ownConsole, "jobs in the console", (it) => {
  it("shows what was given up with its cause, and repeats what is chosen", function* () {
    const clinic = yield* makeClinic
    const { job, repair } = yield* failedPayment(clinic)
    yield* repair
    const window = yield* signedInOperator("/jobs")
    yield* onPage(window, async (page) => {
      await seen(page, job.lastFailure)
      await page.getByRole("checkbox", { name: "Choose payment-recording of cases" }).first().check({ force: true })
      await page.getByRole("button", { name: "Repeat 1" }).click()
      await seen(page, "payment-recording of cases, which failed 1 times")
      await page.getByRole("button", { name: "Repeat it" }).click()
      await seen(page, "1 job runs again.")
      await seen(page, "No job was given up")
    })
    const done = admin("GET", "/jobs?state=completed&queue=payment-recording")
    const isDone = ({ json }: { readonly json: { readonly data: ReadonlyArray<{ readonly id: string }> } }) =>
      json.data.some(({ id }) => id === job.id)
    assert.isTrue(isDone(yield* until(done, isDone)))
  })
})
