import { ClockSkew, type IdentityRefusal, refusalHeader, WrongCell } from "@care/service-kit"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runGateway } from "../testing/runGateway.ts"
import { type Handle, keys } from "../testing/Upstream.ts"

const refuseWith =
  (refusal: IdentityRefusal): Handle =>
  (_request, response) =>
    response
      .writeHead(503, { ...refusalHeader(refusal), "content-type": "application/json" })
      .end('{"error":"internals"}')

const ask = (url: string) =>
  Effect.promise(async () => {
    const answer = await fetch(`${url}/api/v1/check-user?email=maria@example.com`, {
      headers: { "cv-api-key": keys.one }
    })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  })

for (const refusal of [new ClockSkew({ seconds: 64 }), new WrongCell({ own: "c1", called: "c2" })]) {
  const refuse = refuseWith(refusal)
  for (const [who, options] of [
    ["service that answers", { handle: refuse }],
    ["auth, which knows the key,", { resolveKey: refuse }]
  ] as const) {
    it.live(`${refusal._tag} of the ${who}: the partner gets a 503, and the log has the difference`, () =>
      Effect.gen(function* () {
        const lines: Array<string> = []
        const { url } = yield* runGateway({ ...options, lines })
        const { headers, status, text } = yield* ask(url)
        assert.strictEqual(status, 503)
        assert.notInclude(text, "internals")
        for (const name of Object.keys(refusalHeader(refusal))) assert.isNull(headers.get(name))
        const errors = lines.filter((line) => line.startsWith("Error "))
        assert.include(errors.join("\n"), refusal.message)
      }).pipe(Effect.scoped)
    )
  }
}
