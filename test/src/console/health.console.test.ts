import { assert } from "@effect/vitest"
import { sharedConsole } from "../harness/console/Browser.ts"
import { onPage, seen } from "../harness/console/onPage.ts"
import { signedInOperator } from "../harness/console/signedIn.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the health of services in the console", (it) => {
  it("shows each service with charts that have words, and a gateway that does not answer", function* () {
    const window = yield* signedInOperator("/health", { isDark: true })
    yield* onPage(window, async (page) => {
      await seen(page, "All services are ready.")
      for (const service of ["Auth", "Cases", "Payments", "Scheduling"]) {
        await page.getByRole("region", { name: service }).getByText("Ready").waitFor()
      }
      const auth = page.getByRole("region", { name: "Auth" })
      const requests = auth.getByRole("img", { name: /Requests per minute in the last hour: [1-9]/ })
      await requests.waitFor()
      await auth.getByText("The numbers as a table").click()
      assert.isAbove(await auth.getByRole("row").count(), 1)
      await page.route("**/admin/v1/service-health", (route) => route.abort())
      await page.getByText("The gateway is not reachable.").waitFor()
      await page.unroute("**/admin/v1/service-health")
      await page.getByText("The gateway is not reachable.").waitFor({ state: "detached" })
    })
  })
})
