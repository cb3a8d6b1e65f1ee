import type { ServiceHealth } from "@care/domain/gateway"
import { Badge } from "../../ui/Badge.tsx"
import { Panel } from "../../ui/Panel.tsx"
import { inWords } from "../../ui/words.ts"
import { MinutesTable } from "./MinutesTable.tsx"
import { RequestsChart } from "./RequestsChart.tsx"
import { TimesChart } from "./TimesChart.tsx"

interface ServicePanelProps {
  readonly health: ServiceHealth
  /** Whether there are several cells, so that the cell has to be named. */
  readonly hasCells: boolean
}

/** A service: whether it is ready, and how it answered in the last hour. */
export const ServicePanel = ({ hasCells, health }: ServicePanelProps) => {
  const { cell, isReady, service } = health
  return (
    <Panel
      title={hasCells ? `${inWords(service)} in ${cell}` : inWords(service)}
      actions={isReady ? <Badge look="good" text="Ready" /> : <Badge look="bad" text="Not ready" />}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <RequestsChart health={health} />
        <TimesChart health={health} />
      </div>
      <MinutesTable health={health} />
    </Panel>
  )
}
