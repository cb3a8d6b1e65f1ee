import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { CellName } from "../http/CellName.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { longLimit } from "../http/Page.ts"
import { operatorErrors, problem } from "../http/Problem.ts"
import { textUpTo } from "../http/Text.ts"
import { OrganizationId, Uuid } from "../Ids.ts"
import { ArchivePage, ArchivePiece, ArchiveProof, ArchiveRefused, PieceCursor, RemovedMonth } from "./AuditArchive.ts"
import { AuditMonth } from "./AuditMonth.ts"
import { AuditService } from "./AuditRecord.ts"

const month = { service: AuditService, month: AuditMonth }
const chain = { ...month, organizationId: OrganizationId }

// The largest line of an archive is below the size of a request.
const sealedLine = textUpTo(lengths.file)

const storedPiece = Schema.Struct({ sealed: sealedLine, proof: Schema.optional(textUpTo(lengths.secret)) })

const refused = problem(ArchiveRefused, 409, "Not archived", ({ reason }) => reason)

export class AuditArchivesApi extends HttpApiGroup.make("auditArchives")
  .add(
    HttpApiEndpoint.get("chains", "/admin/v1/audit/archives/:service/:month", {
      params: month,
      query: { cell: Schema.optionalKey(CellName), cursor: Schema.optionalKey(Uuid), limit: longLimit },
      success: ArchivePage,
      error: [...operatorErrors, refused]
    })
      .annotate(OpenApi.Summary, "List the audit chains of a month")
      .annotate(
        OpenApi.Description,
        "List the chains of a service that have records in a month that is over, by organization, and the same as a sealed line of the archive (`care audit archive`). With several cells `cell` names one of them."
      ),
    HttpApiEndpoint.get("piece", "/admin/v1/audit/archives/:service/:month/:organizationId", {
      params: chain,
      query: { cursor: Schema.optionalKey(PieceCursor) },
      success: ArchivePiece,
      error: [...operatorErrors, refused]
    })
      .annotate(OpenApi.Summary, "Read a piece of an audit archive")
      .annotate(
        OpenApi.Description,
        "Read up to 1,000 records of a month of a chain, verified, compressed and sealed as a line of the archive."
      ),
    HttpApiEndpoint.post("check", "/admin/v1/audit/archives/:service/:month/:organizationId", {
      params: chain,
      payload: storedPiece,
      success: ArchiveProof,
      error: [...operatorErrors, refused]
    })
      .annotate(OpenApi.Summary, "Check a stored piece of an audit archive")
      .annotate(
        OpenApi.Description,
        "Check a line of the archive as it was read back from its file: the first one without `proof`, each other one with the `proof` of the line before. Only months all of whose lines were checked are removed."
      ),
    HttpApiEndpoint.post("remove", "/admin/v1/audit/archives/:service/:month", {
      params: month,
      payload: Schema.Struct({ cell: Schema.optional(CellName) }),
      success: RemovedMonth,
      error: [...operatorErrors, refused]
    })
      .annotate(OpenApi.Summary, "Remove an archived month of the audit")
      .annotate(
        OpenApi.Description,
        "Remove the records of a month from the database of a service, all of which are in an archive that was checked. It may be repeated. With several cells `cell` names one of them."
      )
  )
  .annotate(OpenApi.Title, "Admin: archives of the audit")
  .annotate(OpenApi.Description, "Months of the audit that are moved to files.")
  .middleware(DocumentedErrors)
  .middleware(callers.operator.Access) {}

const error = ArchiveRefused.pipe(HttpApiSchema.status(409))

/** Internal: the archives of one service's audit, for the gateway. */
export class OwnAuditArchivesApi extends HttpApiGroup.make("ownAuditArchives")
  .add(
    HttpApiEndpoint.get("chains", "/internal/v1/audit/archives/:month", {
      params: { month: AuditMonth },
      query: { cursor: Schema.optionalKey(Uuid), limit: longLimit },
      success: ArchivePage,
      error
    }),
    HttpApiEndpoint.get("piece", "/internal/v1/audit/archives/:month/:organizationId", {
      params: { month: AuditMonth, organizationId: OrganizationId },
      query: { cursor: Schema.optionalKey(PieceCursor) },
      success: ArchivePiece,
      error
    }),
    HttpApiEndpoint.post("check", "/internal/v1/audit/archives/:month/:organizationId", {
      params: { month: AuditMonth, organizationId: OrganizationId },
      payload: storedPiece,
      success: ArchiveProof,
      error
    }),
    HttpApiEndpoint.post("remove", "/internal/v1/audit/archives/:month", {
      params: { month: AuditMonth },
      success: RemovedMonth,
      error
    })
  )
  .middleware(DocumentedErrors)
  .middleware(callers.service.Access) {}
