import { CasesApi } from "@care/domain"
import { peerHttpClient } from "@care/service-kit"
import { Effect } from "effect"
import { HttpApiClient } from "effect/http-api"
import { AuthSettings } from "./AuthSettings.ts"

/** Makes the client by which auth tells cases what it has to know, and asks what cases knows of patients. */
export const makeCaseFacts = Effect.gen(function* () {
  const { casesUrl } = yield* AuthSettings
  return yield* HttpApiClient.group(CasesApi, {
    group: "caseFacts",
    httpClient: yield* peerHttpClient("cases", casesUrl)
  })
})
