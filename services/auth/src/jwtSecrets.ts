import { BootError, minSecretLength, ServiceConfig, secret, secretSetting } from "@care/service-kit"
import { Effect, Redacted } from "effect"

export const jwtSecretSetting = secretSetting(
  "JWT_SECRET",
  "a long random text, or several separated by commas, the first of which signs",
  "one or more secrets, separated by commas, each at least 32 characters long in production. The first signs access tokens of patients, and all verify them. The first is also the pepper of the hashes of one-time codes"
)

/** The secrets of `JWT_SECRET`: one or several, separated by commas. The first is the current one. */
export const jwtSecrets = Effect.gen(function* () {
  const { isProduction } = yield* ServiceConfig
  const secrets = yield* secret(jwtSecretSetting)
  const [current = "", ...older] = Redacted.value(secrets)
    .split(",")
    .map((text) => text.trim())
  const isTooShort = ({ length }: string) => length === 0 || (isProduction && length < minSecretLength)
  if ([current, ...older].some(isTooShort)) {
    return yield* new BootError({
      message: `JWT_SECRET has an entry that is too short: each needs at least ${minSecretLength} characters.`
    })
  }
  return { current, older }
})
