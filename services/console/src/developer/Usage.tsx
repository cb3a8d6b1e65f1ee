import type { OrganizationId } from "@care/domain/ids"
import type { RateLimitUsage, Usage as Stored } from "@care/domain/usage"
import { useQuery } from "@tanstack/react-query"
import { type Column, DataTable } from "../ui/DataTable.tsx"
import { Failure } from "../ui/Failure.tsx"
import { Panel } from "../ui/Panel.tsx"
import { Skeleton } from "../ui/Skeleton.tsx"
import { inWords } from "../ui/words.ts"
import { Share } from "./Share.tsx"
import { rateLimitsQuery, storedQuery } from "./usageQueries.ts"

const mebibyte = 1024 * 1024

const kinds: Readonly<Record<Stored["kind"], string>> = {
  KEPT_ANSWERS: "Answers to idempotency keys",
  EVENTS: "Events",
  DELIVERIES: "Webhook deliveries",
  DOCUMENTS: "Files"
}

const nameOf = ({ kind, service }: Pick<Stored, "kind" | "service">) => `${kinds[kind]} (${service})`

const count = (value: number) => value.toLocaleString("en")

const amount = (unit: Stored["unit"], value: number) =>
  unit === "BYTES" ? `${count(Math.ceil(value / mebibyte))} MiB` : count(value)

const limitColumns: ReadonlyArray<Column<RateLimitUsage>> = [
  { title: "Limit", cell: ({ name }) => inWords(name) },
  {
    title: "In this minute",
    cell: ({ allowed, name, used }) => (
      <Share label={inWords(name)} used={used} allowed={allowed} text={`${count(used)} of ${count(allowed)}`} />
    )
  },
  { title: "Counts", cell: ({ meaning }) => <span className="text-sm text-muted">{meaning}</span> }
]

const storedColumns: ReadonlyArray<Column<Stored>> = [
  { title: "Stored", cell: nameOf },
  {
    title: "Used",
    cell: ({ allowed, kind, service, unit, used }) => (
      <Share
        label={nameOf({ kind, service })}
        used={used}
        allowed={allowed}
        text={`${amount(unit, used)} of ${amount(unit, allowed)}`}
      />
    )
  }
]

/** What an organization uses of its limits. */
export const Usage = ({ organizationId }: { readonly organizationId: OrganizationId }) => {
  const limits = useQuery(rateLimitsQuery(organizationId))
  const stored = useQuery(storedQuery(organizationId))
  return (
    <>
      <Panel title="Rate limits">
        {limits.error === null ? null : <Failure error={limits.error} onRetry={() => void limits.refetch()} />}
        {limits.error === null && limits.data === undefined ? <Skeleton lines={5} /> : null}
        {limits.data === undefined ? null : (
          <DataTable caption="Rate limits" columns={limitColumns} rows={limits.data.data} keyOf={({ name }) => name} />
        )}
        <p className="text-sm text-muted">A request over a limit is answered with 429 and Retry-After.</p>
      </Panel>
      <Panel title="Storage">
        {stored.error === null ? null : <Failure error={stored.error} onRetry={() => void stored.refetch()} />}
        {stored.error === null && stored.data === undefined ? <Skeleton lines={5} /> : null}
        {stored.data === undefined ? null : (
          <DataTable
            caption="Storage"
            columns={storedColumns}
            rows={stored.data.data}
            keyOf={({ kind, service }) => `${service} ${kind}`}
          />
        )}
      </Panel>
    </>
  )
}
