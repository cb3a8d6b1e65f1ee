import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { type ConsoleWindow, sharedConsole } from "../harness/console/Browser.ts"
import { signedIn } from "../harness/console/signedIn.ts"
import { makeClinic } from "../harness/fixtures.ts"
import { testsOn } from "../harness/testsOn.ts"

testsOn(sharedConsole, "the first screen of the console", (it) => {
  // Opens a path with an empty cache. Returns the bytes of all answers on the wire, with their headers, until the page asks for no more.
  const bytesOf = ({ context, page }: ConsoleWindow, path: string) =>
    Effect.promise(async () => {
      const devTools = await context.newCDPSession(page)
      await devTools.send("Network.enable")
      await devTools.send("Network.clearBrowserCache")
      const sizes: Array<number> = []
      devTools.on("Network.loadingFinished", ({ encodedDataLength }) => sizes.push(encodedDataLength))
      await page.goto(path, { waitUntil: "networkidle" })
      await page.getByRole("heading", { level: 1 }).waitFor()
      await devTools.detach()
      return { files: sizes.length, bytes: sizes.reduce((sum, size) => sum + size, 0) }
    })

  it("is under 350 kB, whether it is the sign-in, the start or the queue", function* () {
    const window = yield* signedIn(yield* makeClinic, "PROVIDER")
    const screens = { start: yield* bytesOf(window, "/console/"), queue: yield* bytesOf(window, "/console/queue") }
    yield* Effect.promise(() => window.context.clearCookies())
    for (const [screen, { bytes, files }] of Object.entries({
      ...screens,
      signIn: yield* bytesOf(window, "/console/sign-in")
    })) {
      assert.isAtLeast(files, 3, screen)
      assert.isBelow(bytes, 350_000, screen)
    }
  })
})
