import { serveListener } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { runAt } from "../test/runAt.ts"

const organization = { id: "1", name: "Acme", contactEmail: null, isDisabled: false, createdAt: "2026-05-01T00:00:00Z" }

const linesOf = Effect.fnUntraced(function* (data: ReadonlyArray<object>, ...flags: ReadonlyArray<string>) {
  const { url } = yield* serveListener((_, response) => void response.end(JSON.stringify({ data, nextCursor: null })))
  const { out } = yield* runAt(url, ["org", "list", ...flags])
  return out.split("\n")
})

it.live("care org list shows the cell of each organization if there are several, and no column for it otherwise", () =>
  Effect.gen(function* () {
    const inCells = ["c1", "c2"].map((cell) => ({ ...organization, cell }))
    const [header = "", ...rows] = yield* linesOf(inCells)
    assert.match(header, /createdAt +cell$/)
    assert.deepStrictEqual(
      rows.map((row) => row.slice(-2)),
      ["c1", "c2"]
    )
    assert.match((yield* linesOf([organization]))[0] ?? "", /createdAt$/)
    const json: { readonly data: unknown } = JSON.parse((yield* linesOf(inCells, "--json")).join("\n"))
    assert.deepStrictEqual(json.data, inCells)
  }).pipe(Effect.scoped)
)
