import type { Care } from "@care/client"
import { runScenario, type ScenarioProgress, scenarios } from "@care/scenarios"
import { useMutation, useQueryClient } from "@tanstack/react-query"
import { Effect } from "effect"
import { useState } from "react"
import { announce } from "../../ui/announce.ts"
import { Button } from "../../ui/Button.tsx"
import { Choice } from "../../ui/Choice.tsx"
import { Failure } from "../../ui/Failure.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { stepDone } from "./caseQueries.ts"
import { inPage } from "./inPage.ts"
import { ScenarioSteps } from "./ScenarioSteps.tsx"

interface RunScenarioProps {
  readonly care: Care
  /** Called after each step, with the case. */
  readonly onStep: (caseId: string) => void
}

const options = Array.from(scenarios, ([value, { title }]) => ({ value, text: title }))

/** A scenario to choose and to run. */
export const RunScenario = ({ care, onStep }: RunScenarioProps) => {
  const client = useQueryClient()
  const [name, setName] = useState("approved-with-shipment")
  const [done, setDone] = useState<ReadonlyArray<ScenarioProgress>>([])
  const scenario = scenarios.get(name)
  const run = useMutation({
    mutationFn: async () => {
      setDone([])
      if (scenario === undefined) return
      await inPage(
        runScenario(care, scenario, (progress) =>
          Effect.sync(() => {
            setDone((before) => [...before, progress])
            onStep(progress.caseId)
            void stepDone(client, progress.caseId)
          })
        )
      )
      announce("The scenario is done")
    }
  })
  if (scenario === undefined) return null
  return (
    <Panel title="Scenario">
      <div className="flex flex-wrap items-end gap-3">
        <div className="min-w-0 grow sm:max-w-md">
          <Choice
            label="Scenario"
            options={options}
            value={name}
            isDisabled={run.isPending}
            onChange={(next) => {
              setName(next)
              setDone([])
              run.reset()
            }}
          />
        </div>
        <Button look="primary" isPending={run.isPending} onPress={() => run.mutate()}>
          Run it
        </Button>
      </div>
      <p>{scenario.shows}</p>
      <ScenarioSteps scenario={scenario} done={done} isRunning={run.isPending} />
      {run.error === null ? null : <Failure error={run.error} />}
      <p className="text-sm text-muted">
        On a command line: <code className="text-sm break-words">care trigger {name}</code>
      </p>
    </Panel>
  )
}
