import { assert, it } from "@effect/vitest"
import { clientNameOf } from "./clientNameOf.ts"

it("a browser and its system are named in words, and nothing else of a header is", () => {
  const likeGecko = "AppleWebKit/537.36 (KHTML, like Gecko)"
  const iOS = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)"
  for (const [userAgent, name] of [
    ["Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0", "Firefox on Windows"],
    [`Mozilla/5.0 (Windows NT 10.0) ${likeGecko} Chrome/138.0.0.0 Safari/537.36 Edg/138.0.0.0`, "Edge on Windows"],
    [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${likeGecko} Chrome/138.0.0.0 Safari/537.36`, "Chrome on ChromeOS"],
    [`Mozilla/5.0 (X11; Linux x86_64) ${likeGecko} HeadlessChrome/138.0.0.0 Safari/537.36`, "Chrome on Linux"],
    [`Mozilla/5.0 (Linux; Android 10; K) ${likeGecko} Chrome/138.0.0.0 Mobile Safari/537.36`, "Chrome on Android"],
    [
      "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.1 Safari/605.1.15",
      "Safari on macOS"
    ],
    [`${iOS} Version/18.1 Mobile/15E148 Safari/604.1`, "Safari on iPhone"],
    [`${iOS} FxiOS/140.0 Mobile/15E148 Safari/605.1.15`, "Firefox on iPhone"],
    ["care (darwin)", "care login on macOS"],
    ["care", "care login"],
    ["Jane's own program (Linux)", "Linux"],
    ["node", null],
    ["", null],
    [`${"x".repeat(100_000)} Firefox/1`, null]
  ] as const) {
    assert.strictEqual(clientNameOf(userAgent), name, userAgent.slice(0, 200))
  }
})
