import * as OpenApi from "effect/http-api/OpenApi"
import type { Document } from "./openApiDocument.ts"
import { publicApi } from "./publicApi.ts"

/** The document that `/openapi.json` answers. */
export const publicDocument: Document = JSON.parse(JSON.stringify(OpenApi.fromApi(publicApi)))
