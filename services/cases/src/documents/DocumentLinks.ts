import { Audit } from "@care/audit"
import { DocumentLinkInvalid } from "@care/domain/cases"
import { DocumentId, OrganizationId } from "@care/domain/ids"
import { gatewayPort } from "@care/domain/peers"
import {
  cellSetting,
  OrganizationMoves,
  publicUrlSetting,
  readSettings,
  requireHere,
  ServiceConfig
} from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Schema } from "effect"
import { Cases } from "../case/index.ts"
import { Documents, type OpenedDocument } from "./Documents.ts"
import type { DocumentRow } from "./DocumentsRepo.ts"
import { type LinkClaims, makeSignedLinks } from "./signedLinks.ts"

const decodeIds = Schema.decodeUnknownOption(Schema.Struct({ documentId: DocumentId, organizationId: OrganizationId }))

/** Links to files on the gateway. They need no key, and are valid for 15 minutes. */
export class DocumentLinks extends Context.Service<
  DocumentLinks,
  {
    readonly sign: (document: Pick<DocumentRow, "id" | "organizationId">) => Effect.Effect<string>
    /** Returns the file of a link. Its contents are read piece by piece. */
    readonly open: (claims: LinkClaims) => Effect.Effect<OpenedDocument, DocumentLinkInvalid>
  }
>()("@care/cases/documents/DocumentLinks") {
  static readonly layer = Layer.effect(
    DocumentLinks,
    Effect.gen(function* () {
      const { internalSecrets } = yield* ServiceConfig
      const publicUrl = (yield* readSettings(publicUrlSetting)) ?? `http://localhost:${gatewayPort}`
      const links = makeSignedLinks(internalSecrets, publicUrl.replace(/\/+$/, ""), yield* readSettings(cellSetting))
      const audit = yield* Audit
      const cases = yield* Cases
      const documents = yield* Documents
      const moves = yield* OrganizationMoves
      const orLinkInvalid = Effect.fromOption(() => new DocumentLinkInvalid())

      return DocumentLinks.of({
        sign: ({ id, organizationId }) => Effect.map(DateTime.nowAsDate, (now) => links.sign(id, organizationId, now)),
        open: Effect.fn("DocumentLinks.open")(function* (claims) {
          const { documentId, organizationId } = yield* orLinkInvalid(decodeIds(claims))
          yield* requireHere(moves, organizationId)
          if (!links.verify(claims, yield* DateTime.nowAsDate)) return yield* new DocumentLinkInvalid()
          const document = yield* orLinkInvalid(yield* documents.find(organizationId, documentId))
          const { caseId } = document
          const { userId } = yield* Effect.orDie(cases.findAny(caseId))
          yield* audit.read({ organizationId, action: "DOCUMENT_READ", caseId, userId })
          return yield* documents.open(document)
        })
      })
    })
  ).pipe(Layer.provide([Cases.layer, Documents.layer]))
}
