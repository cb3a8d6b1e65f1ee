import { AuditHead, AuditLink, AuditService, StrayRecord } from "@care/domain/audit/AuditRecord"
import { Effect, Option, Schema, Stream } from "effect"
import { AdminClient } from "../AdminClient.ts"
import type { CommandFailed } from "../gateway.ts"

/** What verifies a chain: an end of it, as it is or as somebody kept it. */
export const ChainHead = Schema.Struct({ service: AuditService, ...AuditHead.fields })
export type ChainHead = typeof ChainHead.Type

// All of a list, page after page.
const rowsOf = <A, I>(item: Schema.Codec<A, I>, path: string, query: Readonly<Record<string, string | undefined>>) => {
  const decode = Schema.decodeUnknownEffect(Schema.Array(Schema.toCodecJson(item)))
  return Stream.paginate<string | undefined, A, CommandFailed, AdminClient>(undefined, (cursor) =>
    Effect.gen(function* () {
      const { page } = yield* AdminClient
      const { data, nextCursor } = yield* page(path, { ...query, cursor })
      return [yield* Effect.orDie(decode(data)), Option.fromNullishOr(nextCursor)] as const
    })
  )
}

/** The ends of the chains of a service, of one organization if it is named. */
export const headsOf = (service: AuditService, organizationId: string | undefined) =>
  rowsOf(AuditHead, `/audit/heads/${service}`, { organizationId }).pipe(
    Stream.map((head): ChainHead => ({ service, ...head }))
  )

/** A chain, from its first link on. */
export const linksOf = ({ organizationId, service }: Pick<ChainHead, "organizationId" | "service">) =>
  rowsOf(AuditLink, `/audit/links/${service}/${organizationId}`, { limit: "1000" })

/** The records that are in no chain. */
export const straysOf = ({ organizationId, service }: Pick<ChainHead, "organizationId" | "service">) =>
  rowsOf(StrayRecord, `/audit/strays/${service}/${organizationId}`, { limit: "1000" })
