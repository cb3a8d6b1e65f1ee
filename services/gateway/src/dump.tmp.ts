import { OpenApi } from "effect/http-api"
import { publicApi } from "./openapi/publicApi.ts"

process.stdout.write(JSON.stringify(OpenApi.fromApi(publicApi), null, 1))
