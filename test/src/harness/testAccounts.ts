import { Effect } from "effect"
import { Suite, testStandInsAt } from "./Suite.ts"

/** Looks at the third parties of sandboxes, and signs events as they do. */
export const ofSandboxes = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(Suite, (suite) => {
    const { pharmacy, scheduling, stripe } = testStandInsAt(Number(new URL(suite.urls.gateway).port))
    const secrets = {
      ...suite.secrets,
      PHARMACY_API_TOKEN: suite.secrets.TEST_PHARMACY_API_TOKEN,
      PHARMACY_WEBHOOK_SECRET: suite.secrets.TEST_PHARMACY_WEBHOOK_SECRET,
      SCHEDULING_API_TOKEN: suite.secrets.TEST_SCHEDULING_API_TOKEN,
      SCHEDULING_WEBHOOK_SECRET: suite.secrets.TEST_SCHEDULING_WEBHOOK_SECRET,
      STRIPE_SECRET_KEY: suite.secrets.TEST_STRIPE_SECRET_KEY,
      STRIPE_WEBHOOK_SECRET: suite.secrets.TEST_STRIPE_WEBHOOK_SECRET
    }
    const urls = { pharmacyUrl: pharmacy, schedulingProviderUrl: scheduling, stripeUrl: stripe }
    return Effect.provideService(effect, Suite, { ...suite, ...urls, secrets })
  })
