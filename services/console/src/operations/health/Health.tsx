import { ServiceHealthApi } from "@care/domain/admin"
import type { ServiceHealth } from "@care/domain/gateway"
import { useQuery } from "@tanstack/react-query"
import { Effect } from "effect"
import { clientOf } from "../../client/clientOf.ts"
import { RequestFailed } from "../../client/RequestFailed.ts"
import { send } from "../../client/send.ts"
import { Failure } from "../../ui/Failure.tsx"
import { Moment } from "../../ui/Moment.tsx"
import { Page } from "../../ui/Page.tsx"
import { Skeleton } from "../../ui/Skeleton.tsx"
import { ServicePanel } from "./ServicePanel.tsx"

const { serviceHealth } = Effect.runSync(clientOf(ServiceHealthApi))

const readiness = (services: ReadonlyArray<ServiceHealth>): string => {
  const away = services.filter(({ isReady }) => !isReady)
  if (away.length === 0) return "All services are ready."
  return `Not ready: ${away.map(({ cell, service }) => `${service} (${cell})`).join(", ")}.`
}

/** Whether the services are ready, and how they answered in the last hour. It is read again every 10 seconds. */
export const Health = () => {
  const { data, dataUpdatedAt, error, refetch } = useQuery({
    queryKey: ["service-health"],
    queryFn: ({ signal }) => send(serviceHealth.list(), signal),
    refetchInterval: 10_000,
    retry: false
  })
  const services = data?.data ?? []
  const isUnreachable = error instanceof RequestFailed && error.status === undefined
  const hasCells = new Set(services.map(({ cell }) => cell)).size > 1
  return (
    <Page title="Health">
      {isUnreachable ? (
        <div role="alert" className="rounded-md border border-bad bg-bad-soft p-3">
          <strong className="font-semibold">The gateway is not reachable.</strong>{" "}
          {data === undefined ? null : (
            <>
              What is below was read <Moment at={new Date(dataUpdatedAt)} />.{" "}
            </>
          )}
          It is asked again every 10 seconds.
        </div>
      ) : null}
      {error === null || isUnreachable ? null : <Failure error={error} onRetry={() => void refetch()} />}
      {data === undefined ? (
        error === null ? (
          <Skeleton lines={8} />
        ) : null
      ) : (
        <>
          <p role="status" className="font-medium">
            {isUnreachable ? "" : readiness(services)}
          </p>
          <p className="max-w-prose text-sm text-muted">
            The numbers are those of the gateway process that answered, since it started. A request failed if it had no
            answer, or a status of 500 or more.
          </p>
          <div className="grid gap-4 xl:grid-cols-2">
            {services.map((health) => (
              <ServicePanel key={`${health.cell} ${health.service}`} health={health} hasCells={hasCells} />
            ))}
          </div>
        </>
      )}
    </Page>
  )
}
