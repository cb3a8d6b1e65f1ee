import { publicUrlSetting, readSettings, ServiceConfig, staffCookieName } from "@care/service-kit"
import { Effect } from "effect"

/** The origin of the pages that staff use, and the name of the cookie of their sessions. */
export const staffOrigin = Effect.gen(function* () {
  const { isProduction, port } = yield* ServiceConfig
  const { origin, protocol } = new URL((yield* readSettings(publicUrlSetting)) ?? `http://localhost:${port}`)
  return { origin, cookieName: staffCookieName(isProduction || protocol === "https:") }
})
