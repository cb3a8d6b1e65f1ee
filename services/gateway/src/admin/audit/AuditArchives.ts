import {
  type ArchivePage,
  type ArchivePiece,
  type ArchiveProof,
  type ArchiveRefused,
  type AuditService,
  ownAuditApi,
  type RemovedMonth
} from "@care/domain/audit"
import type { OrganizationId } from "@care/domain/ids"
import { peers } from "@care/domain/peers"
import { unexpected } from "@care/service-kit"
import { Context, Effect, Layer, Record } from "effect"
import { type Cell, CellOfId, peerOf, perCell } from "../../cells/index.ts"

/** A month of a chain. */
interface ChainOfMonth {
  readonly service: AuditService
  readonly month: number
  readonly organizationId: OrganizationId
}

/** The archives of the services' audits. */
export class AuditArchives extends Context.Service<
  AuditArchives,
  {
    readonly chains: (
      cell: Cell,
      service: AuditService,
      month: number,
      query: { readonly cursor?: string; readonly limit: number }
    ) => Effect.Effect<typeof ArchivePage.Type, ArchiveRefused>
    readonly piece: (
      chain: ChainOfMonth,
      query: { readonly cursor?: number }
    ) => Effect.Effect<typeof ArchivePiece.Type, ArchiveRefused>
    readonly check: (
      chain: ChainOfMonth,
      stored: { readonly sealed: string; readonly proof?: string | undefined }
    ) => Effect.Effect<typeof ArchiveProof.Type, ArchiveRefused>
    readonly remove: (
      cell: Cell,
      service: AuditService,
      month: number
    ) => Effect.Effect<typeof RemovedMonth.Type, ArchiveRefused>
  }
>()("@care/gateway/audit/AuditArchives") {
  static readonly layer = Layer.effect(
    AuditArchives,
    Effect.gen(function* () {
      const cellOfId = yield* CellOfId
      const clientsOf = yield* perCell((cell) =>
        // A large table is removed in seconds.
        Effect.all(
          Record.map(peers, (_, service) =>
            peerOf(cell, ownAuditApi(service), "ownAuditArchives", { callsThirdParty: true })
          )
        )
      )
      const clientOf = ({ organizationId, service }: ChainOfMonth) =>
        Effect.map(cellOfId.find("organizationId", organizationId), (cell) => clientsOf(cell)[service])

      return AuditArchives.of({
        chains: Effect.fn("AuditArchives.chains")(
          (cell, service, month, query) => clientsOf(cell)[service].chains({ params: { month }, query }),
          Effect.catchTags(unexpected)
        ),

        piece: Effect.fn("AuditArchives.piece")(function* (chain, query) {
          const { month, organizationId } = chain
          return yield* (yield* clientOf(chain)).piece({ params: { month, organizationId }, query })
        }, Effect.catchTags(unexpected)),

        check: Effect.fn("AuditArchives.check")(function* (chain, payload) {
          const { month, organizationId } = chain
          return yield* (yield* clientOf(chain)).check({ params: { month, organizationId }, payload })
        }, Effect.catchTags(unexpected)),

        remove: Effect.fn("AuditArchives.remove")(
          (cell, service, month) => clientsOf(cell)[service].remove({ params: { month } }),
          Effect.catchTags(unexpected)
        )
      })
    })
  )
}
