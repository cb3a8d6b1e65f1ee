import { readdirSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { serveListener, temporaryFolder } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../test/runAt.ts"

/** Returns what `care` prints on standard error when the gateway redirects to a URL, or to nowhere. */
const redirected = Effect.fnUntraced(function* (
  status: number,
  location: string | undefined,
  command: ReadonlyArray<string>
) {
  const { url } = yield* serveListener(async (request, response) => {
    await text(request)
    response.writeHead(status, location === undefined ? {} : { location }).end("secret")
  })
  const { err, isSuccess } = yield* runAt(url, command)
  assert.isFalse(isSuccess)
  return { err: err.join("\n"), url }
})

it.live("care follows no redirect, of operators' and partners' commands and of downloads, and says what to set", () =>
  Effect.gen(function* () {
    const folder = yield* temporaryFolder()
    const reached: Array<string> = []
    const other = yield* serveListener((request, response) => {
      reached.push(request.url ?? "")
      response.end("{}")
    })
    const id = "3b241101-e2bb-4255-8caf-4136c566a962"
    for (const command of [
      ["org", "create", "Acme"],
      ["job", "list"],
      ["event", "list"],
      ["patient", "export", id, "--output", join(folder, "patient.json")]
    ]) {
      for (const status of [301, 302, 303, 307, 308]) {
        const location = `${other.url.replace("://", "://name:secret@")}/path?secret`
        const { err, url } = yield* redirected(status, location, command)
        assert.strictEqual(
          err,
          `${url} redirects (${status}) to ${other.url}. care does not follow redirects, because it would send your key there: set CARE_URL to the URL of the gateway itself.`
        )
      }
    }
    assert.deepStrictEqual(reached, [])
    assert.deepStrictEqual(readdirSync(folder), [])
    for (const location of [undefined, "http://"]) {
      assert.include((yield* redirected(307, location, ["job", "list"])).err, "redirects (307) to no URL")
    }
    const own = yield* redirected(307, "/elsewhere", ["job", "list"])
    assert.include(own.err, `redirects (307) to ${own.url}. care`)
  }).pipe(Effect.scoped)
)
