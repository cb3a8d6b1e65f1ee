import { Effect, Option, Random } from "effect"
import { Command, Flag } from "effect/cli"
import { printNotice, printResource } from "../output.ts"
import { makeSandboxClient, testKeyFlag } from "../SandboxClient.ts"
import { runSeed } from "../seeding/runSeed.ts"

const atMost = (name: string, most: number, byDefault: number, description: string) =>
  Flag.Int(name).pipe(
    Flag.filter(
      (value) => value >= 1 && value <= most,
      () => `It has to be from 1 to ${most}`
    ),
    Flag.withDescription(`${description}, ${byDefault} by default`),
    Flag.withDefault(byDefault)
  )

const demo = Command.make(
  "demo",
  {
    key: testKeyFlag,
    cases: atMost("cases", 10_000, 100, "How many cases"),
    weeks: atMost("weeks", 26, 4, "Over how many weeks: the clock of the sandbox moves forward by them"),
    seed: Flag.Int("seed").pipe(
      Flag.filter(
        (value) => value >= 0,
        () => "It may not be negative"
      ),
      Flag.withDescription("What the random choices begin with: the same number makes the same patients and cases"),
      Flag.optional
    )
  },
  Effect.fnUntraced(function* ({ cases, key, seed, weeks }) {
    const client = yield* makeSandboxClient(key)
    const begin = Option.isSome(seed) ? seed.value : yield* Random.nextIntBetween(1, 1_000_000)
    const { actions, from, made, refusals, to } = yield* runSeed(client, { cases, weeks, seed: begin })
    const of = (...names: ReadonlyArray<string>) => names.reduce((sum, name) => sum + (actions.get(name) ?? 0), 0)
    for (const [message, times] of refusals) yield* printNotice(`${times} times: ${message}`)
    yield* printResource(
      {
        cases: made.size,
        comments: of("ask"),
        decisions: of("approve", "reject", "leaveUndecided"),
        orders: of("order"),
        escalations: of("escalate"),
        payments: of("pay"),
        refunds: of("refund"),
        visits: of("planVisit", "bookVisit"),
        from: from.toISOString(),
        to: to.toISOString(),
        seed: begin
      },
      [
        `The clock of the sandbox was moved from ${from.toISOString()} to ${to.toISOString()}: the cases are of the weeks before it.`,
        "Look at them in the console, in test mode, or with GET /api/v1/cases. Run it again for more."
      ].join("\n")
    )
  })
).pipe(
  Command.withDescription("Fill a sandbox with made-up patients and cases in all stages"),
  Command.withExamples([
    { command: "care seed demo --cases 500", description: "Make 500 cases of the last four weeks" }
  ])
)

export const seed = Command.make("seed").pipe(
  Command.withDescription("Data for a sandbox, made with a test key"),
  Command.withSubcommands([demo])
)
