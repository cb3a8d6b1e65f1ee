import { type Scenario, type ScenarioProgress, stepInWords } from "@care/scenarios"
import { Badge } from "../../ui/Badge.tsx"
import { classes } from "../../ui/classes.ts"
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
        <li
          key={index}
          aria-current={isNow ? "step" : undefined}
          className={classes("flex gap-2", progress === undefined && !isNow && "text-muted")}
        >
          <span className="w-6 shrink-0 text-right tabular-nums">{index + 1}.</span>
          <span className="flex min-w-0 flex-wrap items-center gap-x-3">
            <span>
              {stepInWords(step)}
              {isNow ? " …" : ""}
            </span>
            {progress === undefined ? null : (
              <>
                <Badge look="accent" text={inWords(progress.status)} />
                <span className="text-sm text-muted">{progress.events.map(({ type }) => type).join(", ")}</span>
              </>
            )}
          </span>
        </li>
      )
    })}
  </ol>
)
