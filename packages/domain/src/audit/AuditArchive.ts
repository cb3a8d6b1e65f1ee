import { Schema } from "effect"
import { cursorOf } from "../http/Page.ts"
import { OrganizationId, Uuid } from "../Ids.ts"
import { ChainHash } from "./AuditRecord.ts"

/** A chain in a month of an archive: its states before the month and after it. */
export const ArchivedChain = Schema.Struct({
  organizationId: OrganizationId,
  countBefore: Schema.Natural,
  hashBefore: ChainHash,
  count: Schema.Natural,
  hash: ChainHash
}).annotate({ identifier: "ArchivedAuditChain" })
export type ArchivedChain = typeof ArchivedChain.Type

/** A month cannot be archived, or a piece of its archive is not what the service made. */
export class ArchiveRefused extends Schema.TaggedError<ArchiveRefused>()("ArchiveRefused", { reason: Schema.String }) {}

/** The number of the last record of a piece. */
export const PieceCursor = cursorOf(Schema.Natural)

/** Some chains of a month: as they are, and sealed as a line of the archive. `isArchived` is true once the database has their records no more. */
export const ArchivePage = Schema.Struct({
  data: Schema.Array(ArchivedChain),
  isArchived: Schema.Boolean,
  sealed: Schema.String,
  nextCursor: Schema.NullOr(Uuid)
}).annotate({ identifier: "AuditArchivePage" })

/** The records of some links of a chain, sealed as a line of the archive. The next ones come after `nextCursor`. */
export const ArchivePiece = Schema.Struct({ sealed: Schema.String, nextCursor: Schema.NullOr(PieceCursor) }).annotate({
  identifier: "AuditArchivePiece"
})

/** The proof that the pieces of a chain up to one were read back. It is complete with the last piece. */
export const ArchiveProof = Schema.Struct({ proof: Schema.String, isComplete: Schema.Boolean }).annotate({
  identifier: "AuditArchiveProof"
})

/** What was removed from the database: the records of so many chains. */
export const RemovedMonth = Schema.Struct({ chains: Schema.Natural }).annotate({ identifier: "RemovedAuditMonth" })
