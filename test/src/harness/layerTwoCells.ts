import { findFreeBase, offsets } from "@care/sandbox"
import { Context, Effect, Layer } from "effect"
import { makeSecretsOfCell, Suite, schedulingProviderAt, stripeAt, testStandInsAt } from "./Suite.ts"

/** The second of two cells; `Suite` is the first. */
class SecondCell extends Context.Service<SecondCell, Suite["Service"]>()("@care/test/harness/SecondCell") {}

/** Returns the description of a suite's services for `CELLS`. */
const descriptionOf = ({ secrets, urls: { auth, cases, payments, scheduling } }: Suite["Service"]) => ({
  ...{ auth, cases, payments, scheduling },
  internalSecret: secrets.INTERNAL_SECRET
})

const twoCellsWith = (cellOfSecond: string) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const port = yield* findFreeBase(Object.values(offsets))
      const GATEWAY_URL = `http://127.0.0.1:${port}`
      const secrets = makeSecretsOfCell("k2")
      const test = testStandInsAt(port)
      const common = {
        GATEWAY_URL,
        STRIPE_API_URL: stripeAt(port),
        SCHEDULING_API_URL: schedulingProviderAt(port),
        TEST_STRIPE_API_URL: test.stripe,
        TEST_SCHEDULING_API_URL: test.scheduling
      }
      const environment = { CELL: cellOfSecond, PUBLIC_URL: GATEWAY_URL, ...common }
      const c2 = Context.get(yield* Suite.make(environment, [], { secrets }), Suite)
      const CELLS = JSON.stringify({ c2: descriptionOf(c2) })
      const c1 = yield* Suite.make({ CELLS, GATEWAY_URL }, [], { port, furtherCells: { c2: secrets } })
      return Context.add(c1, SecondCell, c2)
    })
  )

/**
 * Provides two cells, c1 and c2, with databases and secrets of their own, and one account at Stripe and at the scheduling provider. The
 * gateway of `Suite` serves both.
 */
export const layerTwoCells = twoCellsWith("c2")

/** Provides the same, but the services of the second cell have the `CELL` of the first. */
export const layerMisnamedCell = twoCellsWith("c1")

/** Provides a cell beside another cell, c2, all of whose services have this URL. */
export const layerBesideCell = <E, R>(makeUrl: Effect.Effect<string, E, R>) =>
  Layer.effectContext(
    Effect.gen(function* () {
      const port = yield* findFreeBase(Object.values(offsets))
      const url = yield* makeUrl
      const c2 = { ...{ auth: url, cases: url, payments: url, scheduling: url }, internalSecret: "secret-of-c2" }
      const environment = { CELLS: JSON.stringify({ c2 }), GATEWAY_URL: `http://127.0.0.1:${port}` }
      return yield* Suite.make(environment, [], { port })
    })
  )

/** Runs an effect with the second cell behind the gateway of both. */
export const inSecondCellOfGateway = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const [first, second] = [yield* Suite, yield* SecondCell]
    const { gateway } = first.urls
    const secrets = { ...second.secrets, ADMIN_TOKEN: first.secrets.ADMIN_TOKEN }
    return yield* Effect.provideService(effect, Suite, { ...second, urls: { ...second.urls, gateway }, secrets })
  })

/** Runs an effect with the second cell behind a gateway of its own. */
export const inSecondCell = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(SecondCell, (suite) => Effect.provideService(effect, Suite, suite))
