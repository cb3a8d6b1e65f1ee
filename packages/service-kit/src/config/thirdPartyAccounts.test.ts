import { assert, it } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { thirdPartyAccounts } from "./thirdPartyAccounts.ts"

const [token, other] = [Redacted.make("one"), Redacted.make("two")]
const none = { url: undefined, token: undefined, secrets: undefined }

it.effect("an account has an address, unless there is none, and the two have no secret in common", () =>
  Effect.gen(function* () {
    const live = { url: "https://pharmacy.example.com/v1/", token, secrets: [token] }
    assert.deepStrictEqual(yield* thirdPartyAccounts("PHARMACY", { live, test: none }), {
      live: { api: { url: "https://pharmacy.example.com/v1", token }, webhookSecrets: [token] },
      test: { api: undefined, webhookSecrets: [] }
    })
    const refusalOf = (test: Parameters<typeof thirdPartyAccounts>[1]["test"]) =>
      Effect.map(Effect.flip(thirdPartyAccounts("PHARMACY", { live, test })), ({ message }) => message)
    assert.strictEqual(
      yield* refusalOf({ ...none, url: live.url }),
      "TEST_PHARMACY_API_URL needs TEST_PHARMACY_API_TOKEN and TEST_PHARMACY_WEBHOOK_SECRET beside it."
    )
    const hasValue = (name: string) => `TEST_${name} has a value of ${name}: set it to one of another account.`
    assert.strictEqual(yield* refusalOf({ ...live, secrets: [other] }), hasValue("PHARMACY_API_TOKEN"))
    assert.strictEqual(yield* refusalOf({ ...live, token: other }), hasValue("PHARMACY_WEBHOOK_SECRET"))
  })
)
