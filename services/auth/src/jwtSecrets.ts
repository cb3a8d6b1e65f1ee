import { ownSecrets, secretSetting } from "@care/service-kit"

export const jwtSecretSetting = secretSetting(
  "JWT_SECRET",
  "a long random text, or several separated by commas, the first of which signs",
  "one or more secrets, separated by commas, each at least 32 characters long in production. The first signs access tokens of patients, and all verify them. They are also the peppers of the hashes of one-time codes: the first makes codes, and all check them. The first also makes the keys of drafts"
)

/** The secrets of `JWT_SECRET`. The first signs. */
export const jwtSecrets = ownSecrets(jwtSecretSetting)
