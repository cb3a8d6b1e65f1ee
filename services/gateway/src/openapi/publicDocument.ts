import * as OpenApi from "effect/http-api/OpenApi"
import type { Document } from "./openApiDocument.ts"
import { adminApi, partnerApi } from "./publicApi.ts"

const written = (api: typeof partnerApi): Document => JSON.parse(JSON.stringify(OpenApi.fromApi(api)))

/** The document of the partner API, which `/openapi.json` answers. */
export const publicDocument = written(partnerApi)

/** The document of the admin API, which `/openapi/admin.json` answers. */
export const adminDocument = written(adminApi)
