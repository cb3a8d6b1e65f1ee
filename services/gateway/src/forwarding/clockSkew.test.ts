import { clockSkewHeader } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGateway } from "../testing/runGateway.ts"
import { type Handle, keys } from "../testing/Upstream.ts"

// A service whose clock is ahead of the gateway's.
const refuse: Handle = (_request, response) =>
  response.writeHead(503, { [clockSkewHeader]: "64", "content-type": "application/json" }).end('{"error":"internals"}')

const ask = (url: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/api/v1/check-user?email=maria@example.com`, {
      headers: { "cv-api-key": keys.one }
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  })

for (const [who, options] of [
  ["service that answers", { handle: refuse }],
  ["auth, which knows the key,", { resolveKey: refuse }]
] as const) {
  it.live(`if the clock of the ${who} differs, the partner gets a 503, and the log has the difference`, () =>
    Effect.gen(function* () {
      const lines: Array<string> = []
      const { url } = yield* runGateway({ ...options, lines })
      const { headers, status, text } = yield* ask(url)
      assert.strictEqual(status, 503)
      assert.notInclude(text, "internals")
      assert.isNull(headers.get(clockSkewHeader))
      const errors = lines.filter((line) => line.startsWith("Error "))
      assert.match(errors.join("\n"), /clocks of two processes differ: the identity token of a call was 64 s old/)
    }).pipe(Effect.scoped)
  )
}
