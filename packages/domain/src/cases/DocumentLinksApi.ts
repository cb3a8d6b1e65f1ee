import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { broken } from "../http/commonErrors.ts"
import { refused } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { RequestInvalid } from "../http/RequestErrors.ts"
import { textUpTo } from "../http/Text.ts"
import { DocumentLinkInvalid } from "./errors.ts"
import { fileTypes } from "./fileTypes.ts"

const linkInvalid = [DocumentLinkInvalid, RequestInvalid].map((error) =>
  refused(
    error,
    403,
    "The link is not valid or has expired",
    "The signature of the link is not valid, or the link is older than 15 minutes"
  )
)

/** The answers with a file: one for each content type. */
export const fileAnswers = fileTypes.map((contentType) =>
  Schema.Uint8Array.pipe(HttpApiSchema.asUint8Array({ contentType })).annotate({ description: "The file" })
)

const part = textUpTo(lengths.reference)

/** Partner API: files behind signed links of the case detail. The link is the credential. */
export class DocumentLinksApi extends HttpApiGroup.make("documentLinks")
  .add(
    HttpApiEndpoint.get("download", "/api/v1/documents/:documentId", {
      params: { documentId: part },
      query: { organizationId: part, expires: part, signature: part },
      success: fileAnswers,
      error: [...linkInvalid, ...broken]
    })
      .annotate(OpenApi.Summary, "Download a file")
      .annotate(
        OpenApi.Description,
        "Returns the contents of a file, with its content type. Links to files are part of the case detail with `documentFormat=url`. They are valid for 15 minutes and need no API key."
      )
  )
  .annotate(OpenApi.Title, "Files")
  .annotate(OpenApi.Description, "The files of cases, through links that are valid for a short time.")
  .middleware(DocumentedErrors)
  .middleware(callers.link.Access) {}
