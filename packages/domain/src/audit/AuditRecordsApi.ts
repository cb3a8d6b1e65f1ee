import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { broken, keyRefused, rateLimitedBy } from "../http/commonErrors.ts"
import { invalidRequest } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { ok, saying } from "../http/ok.ts"
import { PageCursor } from "../http/Page.ts"
import { archivedMonths, RecordsQuery } from "./AuditApi.ts"
import { AuditBusy, AuditRecord } from "./AuditRecord.ts"

export class AuditRecordsApi extends HttpApiGroup.make("auditRecords")
  .add(
    HttpApiEndpoint.get("list", "/api/v1/audit-records", {
      query: RecordsQuery,
      success: ok({
        message: saying("Audit records fetched successfully"),
        data: Schema.Array(AuditRecord),
        nextCursor: Schema.NullOr(PageCursor),
        archivedMonths
      }).annotate({ identifier: "AuditRecords" }),
      error: [
        ...keyRefused,
        mistakesAs(invalidRequest, "A parameter is malformed: `<parameter>, <reason>`"),
        rateLimitedBy(
          AuditBusy,
          "The audit records of an organization are asked for one page at a time. Try again when the others are answered.",
          "The organization is requesting other pages of its audit records at the same time"
        ),
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "List audit records")
      .annotate(
        OpenApi.Description,
        "Lists who read or changed the data of the organization's patients, or who may do so (the organization's staff, their sign-in, its API keys), newest first. A record names the actor (an API key, a patient, a member of staff, an operator of the platform, or the platform itself), the kind of data, the patient, the case, the request and the time, but never the data. `userId` is the patient, or the member of staff whom the action is about; `apiKeyId` is the API key that it is about. `actorId` selects what a member of staff or an operator did. The reading of a list of cases is one record: `shown` names the cases and their patients, and filters match each of them. Reads appear within about a second. A page may have fewer records than `limit` if `shown` is very long; `nextCursor` selects the next page."
      )
  )
  .annotate(OpenApi.Title, "Audit records")
  .annotate(OpenApi.Description, "Who read and changed the data of the organization's patients, and who may do so.")
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
