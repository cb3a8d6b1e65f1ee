import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../test/runAt.ts"

const [sandbox, live] = ["3b241101-e2bb-4255-8caf-4136c566a962", "9b241101-e2bb-4255-8caf-4136c566a962"]

it.live("care org move refuses a sandbox, and names the live organization that takes it along", () =>
  Effect.gen(function* () {
    const { url } = yield* serveListener(
      (_, response) => void response.end(JSON.stringify({ id: sandbox, liveOrganizationId: live, cell: "c1" }))
    )
    const databases = JSON.stringify({ c1: "postgresql://a:b@127.0.0.1/c", c2: "postgresql://a:b@127.0.0.1/d" })
    const move = ["org", "move", sandbox, "--to", "c2"]
    const { err, isSuccess } = yield* runAt(url, move, [], [], { CELL_DATABASES: databases })
    assert.isFalse(isSuccess)
    assert.include(err.join("\n"), `care org move ${live} --to c2`)
  }).pipe(Effect.scoped)
)
