import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { call } from "./harness/call.ts"
import { careCommand } from "./harness/careCommand.ts"
import { makeClinic, makeSandbox } from "./harness/fixtures.ts"
import { Suite } from "./harness/Suite.ts"
import { testsOn } from "./harness/testsOn.ts"

// A suite of their own: appointments take the first open slots of the calendar, which other files count on.
testsOn(Suite.layer, "care seed demo", (it) => {
  const casesOf = (key: string) => Effect.map(call("GET", "/api/v1/cases?limit=100", { key }), ({ json }) => json.data)

  it("fills a sandbox with cases over weeks, as planned, and adds to them when it runs again", function* () {
    const sandbox = yield* makeSandbox(yield* makeClinic)
    const notices: Array<string> = []
    const parameters = ["seed", "demo", "--cases", "10", "--weeks", "1", "--seed", "5", "--json"]
    const seed = careCommand(parameters, { CARE_API_KEY: sandbox.key }, notices)
    const made = JSON.parse(yield* seed)
    assert.match(notices.at(-1) ?? "", /^\d+ of 21, 10 cases$/)
    assert.isTrue(
      notices.every((notice) => / of 21, /.test(notice)),
      notices.join("\n")
    )
    assert.deepInclude(made, { cases: 10, seed: 5 })
    assert.isAbove(made.decisions, 0)
    const cases = yield* casesOf(sandbox.key)
    assert.lengthOf(cases, 10)
    const times = cases.map(({ createdAt }: { readonly createdAt: string }) => Date.parse(createdAt))
    assert.isAtLeast(Math.min(...times), Date.parse(made.from))
    assert.isBelow(Math.max(...times), Date.parse(made.to))
    assert.isAbove(Math.max(...times) - Math.min(...times), 86_400_000)
    const { now } = (yield* call("GET", "/api/v1/test/clock", { key: sandbox.key })).json.data
    assert.isAtLeast(Date.parse(now), Date.parse(made.to))
    const again = JSON.parse(yield* seed)
    assert.strictEqual(again.decisions, made.decisions)
    assert.isAtLeast(Date.parse(again.from), Date.parse(made.to))
    assert.lengthOf(yield* casesOf(sandbox.key), 20)
  })

  it("makes payments that wait, are paid and refunded, and appointments, of which one is missed", function* () {
    const { key } = yield* makeSandbox(yield* makeClinic)
    const notices: Array<string> = []
    // The plan of this seed has all of them.
    const parameters = ["seed", "demo", "--cases", "12", "--weeks", "2", "--seed", "355", "--json"]
    const made = JSON.parse(yield* careCommand(parameters, { CARE_API_KEY: key }, notices))
    assert.isTrue(
      notices.every((notice) => / of 42, /.test(notice)),
      notices.join("\n")
    )
    assert.deepInclude(made, { cases: 12, payments: 2, refunds: 1, visits: 1 })
    const cases: ReadonlyArray<{ readonly id: string }> = yield* casesOf(key)
    const listed = (list: string) =>
      Effect.map(
        Effect.forEach(cases, ({ id }) => call("GET", `/api/v1/cases/${id}/${list}`, { key })),
        (answers) => answers.flatMap(({ json }) => json.data)
      )
    const statuses = (yield* listed("payments")).map(({ status }) => status)
    assert.sameMembers([...new Set(statuses)], ["PAID", "REFUND", "UNPAID"])
    const titles = (yield* listed("escalations")).map(({ title }) => title)
    assert.include(titles, "Missed appointment -reschedule")
  })
})
