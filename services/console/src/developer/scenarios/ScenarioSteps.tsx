import { type Scenario, type ScenarioProgress, stepInWords } from "@care/scenarios"
import { Badge } from "../../ui/Badge.tsx"
import { inWords } from "../../ui/words.ts"

interface ScenarioStepsProps {
  readonly scenario: Scenario
  readonly done: ReadonlyArray<ScenarioProgress>
  readonly isRunning: boolean
}

/** The steps of a scenario, with what followed from those that are done. */
export const ScenarioSteps = ({ done, isRunning, scenario }: ScenarioStepsProps) => (
  <ol aria-label="Steps" className="flex flex-col gap-2">
    {scenario.steps.map((step, index) => {
      const progress = done[index]
      const isNow = isRunning && index === done.length
      return (
        <li key={index} aria-current={isNow ? "step" : undefined} className="flex flex-wrap items-center gap-x-3">
          <span className={progress === undefined && !isNow ? "text-muted" : undefined}>
            <span className="mr-2 inline-block w-6 text-right tabular-nums">{index + 1}.</span>
            {stepInWords(step)}
            {isNow ? " …" : ""}
          </span>
          {progress === undefined ? null : (
            <>
              <Badge look="good" text={inWords(progress.status)} />
              <span className="text-sm text-muted">{progress.events.map(({ type }) => type).join(", ")}</span>
            </>
          )}
        </li>
      )
    })}
  </ol>
)
