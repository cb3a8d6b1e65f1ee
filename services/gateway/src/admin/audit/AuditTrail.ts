import {
  type AuditBusy,
  type AuditHead,
  type AuditLink,
  type AuditQuery,
  type AuditRecord,
  type AuditService,
  ownAuditApi,
  type RecordsQuery,
  type ServiceAuditRecord,
  type StrayRecord
} from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { peers } from "@care/domain/peers"
import { type Page, pageBy, peer, unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Record } from "effect"
import { mergedPage } from "./mergedPage.ts"

/** The page that a request needs from one service. */
interface ServicePageQuery<Cursor> {
  readonly cursor?: Cursor
  readonly limit: number
}

/** The audit records of all services. A method dies when one of the services does not answer. */
export class AuditTrail extends Context.Service<
  AuditTrail,
  {
    /** Returns a page of the records of all services, newest first. */
    readonly list: (query: AuditQuery) => Effect.Effect<Page<AuditRecord>>
    /** Returns a page of an organization's own records, newest first. Its requests run one at a time. */
    readonly records: (
      organizationId: OrganizationId,
      query: RecordsQuery
    ) => Effect.Effect<Page<AuditRecord>, AuditBusy>
    readonly heads: (
      service: AuditService,
      query: ServicePageQuery<string> & { readonly organizationId?: OrganizationId }
    ) => Effect.Effect<Page<AuditHead, string>>
    readonly links: (
      service: AuditService,
      organizationId: OrganizationId,
      query: ServicePageQuery<number>
    ) => Effect.Effect<Page<AuditLink, number>>
    readonly strays: (
      service: AuditService,
      organizationId: OrganizationId,
      query: ServicePageQuery<string>
    ) => Effect.Effect<Page<StrayRecord, string>>
  }
>()("@care/gateway/audit/AuditTrail") {
  static readonly layer = Layer.effect(
    AuditTrail,
    Effect.gen(function* () {
      const clients = yield* Effect.all(Record.map(peers, (_, service) => peer(ownAuditApi(service), "ownAudit")))

      const merged = Effect.fnUntraced(function* <E>(
        limit: number,
        pageOf: (client: (typeof clients)[AuditService]) => Effect.Effect<Page<ServiceAuditRecord>, E>
      ) {
        const pages = yield* Effect.forEach(
          Record.keys(clients),
          (service) =>
            Effect.map(pageOf(clients[service]), ({ data, nextCursor }) => ({
              data: data.map((record): AuditRecord => ({ ...record, service })),
              nextCursor
            })),
          { concurrency: "unbounded" }
        )
        return mergedPage(pages, limit)
      })

      return AuditTrail.of({
        list: Effect.fn("AuditTrail.list")(
          (query) => merged(query.limit, (client) => client.list({ query })),
          Effect.orDie
        ),

        records: Effect.fn("AuditTrail.records")(
          (organizationId, query) =>
            merged(query.limit, (client) => client.records({ params: { organizationId }, query })),
          Effect.catchTags(unexpected)
        ),

        heads: Effect.fn("AuditTrail.heads")(function* (service, { limit, ...filter }) {
          const rows = yield* clients[service].heads({ query: { ...filter, limit: limit + 1 } })
          return pageBy(rows, limit, ({ organizationId }): string => organizationId)
        }, Effect.orDie),

        links: Effect.fn("AuditTrail.links")(function* (service, organizationId, { cursor = 0, limit }) {
          return yield* clients[service].links({ params: { organizationId }, query: { after: cursor, limit } })
        }, Effect.orDie),

        strays: Effect.fn("AuditTrail.strays")(function* (service, organizationId, { cursor, limit }) {
          const query = { limit, ...(cursor !== undefined && { after: cursor }) }
          return yield* clients[service].strays({ params: { organizationId }, query })
        }, Effect.orDie)
      })
    })
  )
}
