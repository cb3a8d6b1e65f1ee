import { AuditCheckpoint, AuditHead, AuditLink, AuditService, StrayRecord } from "@care/domain/audit/AuditRecord"
import { Effect, Option, Schema, Stream } from "effect"
import { AdminClient } from "../AdminClient.ts"
import { CommandFailed } from "../gateway.ts"
import { monthText } from "./checkpoints.ts"

/** The head of a chain, current or stored earlier. */
export const ChainHead = Schema.Struct({ service: AuditService, ...AuditHead.fields })
export type ChainHead = typeof ChainHead.Type

// Streams a list, page by page.
const rowsOf = <A, I>(item: Schema.Codec<A, I>, path: string, query: Readonly<Record<string, string | undefined>>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.toCodecJson(item)))
  return Stream.paginate<string | undefined, A, CommandFailed, AdminClient>(undefined, (cursor) =>
    Effect.gen(function* () {
      const { page } = yield* AdminClient
      const { cellsAway = [], data, nextCursor } = yield* page(path, { ...query, cursor })
      if (cellsAway.length > 0) {
        return yield* new CommandFailed({
          message: `The cell ${cellsAway.join(", ")} does not answer: try again, or name another one with --cell.`
        })
      }
      return [yield* Effect.orDie(decode(data)), Option.fromNullishOr(nextCursor)] as const
    })
  )
}

/** Streams the heads of a service's chains, of one organization, or all of a cell or of all cells. Fails if a cell does not answer. */
export const headsOf = (service: AuditService, organizationId: string | undefined, cell: string | undefined) =>
  rowsOf(AuditHead, `/audit/heads/${service}`, { organizationId, cell }).pipe(
    Stream.map((head): ChainHead => ({ service, ...head }))
  )

/** A chain: that of an organization in a service. */
export type Chain = Pick<ChainHead, "organizationId" | "service">

/** Streams the links of a chain, the first one first: all, or those of a month that is over. */
export const linksOf = ({ organizationId, service }: Chain, month?: number) =>
  rowsOf(AuditLink, `/audit/links/${service}/${organizationId}`, {
    limit: "1000",
    month: month === undefined ? undefined : monthText(month)
  })

/** Streams the checkpoints of a chain, the oldest first. */
export const checkpointsOf = ({ organizationId, service }: Chain) =>
  rowsOf(AuditCheckpoint, `/audit/checkpoints/${service}/${organizationId}`, { limit: "1000" })

/** Streams the records outside of every chain. */
export const straysOf = ({ organizationId, service }: Chain) =>
  rowsOf(StrayRecord, `/audit/strays/${service}/${organizationId}`, { limit: "1000" })
