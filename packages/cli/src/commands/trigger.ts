import { decodeScenario, runScenario, type Scenario, type ScenarioProgress, scenarios } from "@care/scenarios"
import { Effect, Option } from "effect"
import { Argument, Command, Flag } from "effect/cli"
import { CommandFailed, wrongUsage } from "../CommandFailed.ts"
import { Json, printDone, printNotice, printPage } from "../output.ts"
import { readJson } from "../readFiles.ts"
import { makeSandboxClient, type SandboxClient, testKeyFlag } from "../SandboxClient.ts"

const namesThem = "`care trigger --list` names them"

const scenarioOf = Effect.fnUntraced(function* (name: string) {
  const known = scenarios.get(name)
  if (known !== undefined) return known
  if (!name.endsWith(".json")) {
    return yield* new CommandFailed({ message: `There is no scenario ${name}: ${namesThem}.` })
  }
  return yield* Effect.mapError(
    decodeScenario(yield* readJson(name)),
    (issue) => new CommandFailed({ message: `The file ${name} is not a scenario: ${issue}` })
  )
})

const printScenarios = printPage(
  {
    data: Array.from(scenarios, ([name, { title, steps }]) => ({ name, title, steps: steps.length })),
    nextCursor: null
  },
  "name title steps"
)

const lineOf = ({ count, events, number, status, text }: ScenarioProgress): string => {
  const types = events.map(({ type }) => type).join(", ")
  return `${number} of ${count}  ${text}: ${status}${types === "" ? "" : `  (${types})`}`
}

const run = Effect.fnUntraced(function* (name: string, scenario: Scenario, client: SandboxClient) {
  const isForPrograms = yield* Json
  const tell = (line: string) => (isForPrograms ? Effect.void : printNotice(line))
  const steps: Array<ScenarioProgress> = []
  yield* tell(scenario.shows)
  const done = runScenario(client.care, scenario, (progress) => {
    steps.push(progress)
    return tell(lineOf(progress))
  })
  yield* client.run(done)
  const { caseId, status } = steps.at(-1) ?? {}
  yield* printDone(
    { scenario: name, caseId, status, steps: steps.map(({ events, status, text }) => ({ text, status, events })) },
    `The case ${caseId} is ${status}.\nNext: care event list --case ${caseId} shows its events; POST /api/v1/test/cases/${caseId}/simulate goes on with it.`
  )
})

/** Lives a case in the sandbox, step by step. */
export const trigger = Command.make(
  "trigger",
  {
    key: testKeyFlag,
    name: Argument.String("scenario").pipe(
      Argument.withDescription("Name of a scenario, or a JSON file of your own"),
      Argument.optional
    ),
    isList: Flag.Boolean("list").pipe(Flag.withDescription("List the scenarios"), Flag.withDefault(false))
  },
  Effect.fnUntraced(function* ({ isList, key, name }) {
    if (isList) return yield* printScenarios
    if (Option.isNone(name)) return yield* wrongUsage(`Which scenario? ${namesThem}.`)
    const scenario = yield* scenarioOf(name.value)
    return yield* run(name.value, scenario, yield* makeSandboxClient(key))
  })
).pipe(
  Command.withDescription("Live a case in the sandbox, from its creation to its end, by a scenario"),
  Command.withExamples([
    { command: "care trigger --list", description: "List the scenarios" },
    { command: "care trigger approved-with-shipment", description: "Live a case until its delivery" }
  ])
)
