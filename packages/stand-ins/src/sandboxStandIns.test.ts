import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { BootError } from "@care/service-kit"
import { freePort, serveListener, temporaryFolder, until } from "@care/service-kit/testing"
import { assert, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import Stripe from "stripe"
import { ask, clientOf } from "../test/stripe.ts"
import { layerSandboxStandIns } from "./sandboxStandIns.ts"

const environment = {
  CELL: "c2",
  TEST_STRIPE_SECRET_KEY: "sk_test_of_the_sandboxes",
  TEST_STRIPE_WEBHOOK_SECRET: "whsec_new,whsec_old",
  TEST_SCHEDULING_API_TOKEN: "token-of-scheduling",
  TEST_SCHEDULING_WEBHOOK_SECRET: "secret-of-scheduling",
  TEST_PHARMACY_API_TOKEN: "token-of-pharmacy",
  TEST_PHARMACY_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32).toString("base64")}`
}

const withEnvironment = (env: Record<string, string>) => ConfigProvider.layer(ConfigProvider.fromEnvRecord(env))

it.live(
  "stand-ins for sandboxes take their settings from the environment, and still know after a restart what they knew",
  () =>
    Effect.gen(function* () {
      const ports = { stripe: yield* freePort, scheduling: yield* freePort, pharmacy: yield* freePort }
      const received: Array<{ readonly path: string; readonly type: string }> = []
      const gateway = yield* serveListener(async (request, response) => {
        const event = Stripe.webhooks.constructEvent(
          await text(request),
          String(request.headers["stripe-signature"]),
          "whsec_new"
        )
        received.push({ path: request.url ?? "", type: event.type })
        response.writeHead(204).end()
      })
      const env = { ...environment, PUBLIC_URL: `${gateway.url}/`, CARE_DATA_DIR: `${yield* temporaryFolder()}/kept` }
      const running = <A>(use: Effect.Effect<A>) =>
        Effect.provide(use, Layer.provide(layerSandboxStandIns(ports), withEnvironment(env))).pipe(Effect.scoped)
      const client = clientOf(`http://127.0.0.1:${ports.stripe}`, environment.TEST_STRIPE_SECRET_KEY)
      const statusOf = (port: number, path: string, token: string) =>
        Effect.promise(async () => {
          const headers = { authorization: `Bearer ${token}`, connection: "close" }
          return (await fetch(`http://127.0.0.1:${port}${path}`, { headers })).status
        })

      const { id } = yield* running(
        Effect.gen(function* () {
          const customer = yield* ask(() => client.customers.create())
          yield* until(
            Effect.sync(() => received),
            ({ length }) => length > 0
          )
          for (const [port, path, token] of [
            [ports.scheduling, "/users/me", environment.TEST_SCHEDULING_API_TOKEN],
            [ports.pharmacy, "/orders/changes", environment.TEST_PHARMACY_API_TOKEN]
          ] as const) {
            assert.deepStrictEqual(
              [yield* statusOf(port, path, token), yield* statusOf(port, path, environment.TEST_STRIPE_SECRET_KEY)],
              [200, 401]
            )
          }
          return customer
        })
      )
      assert.deepStrictEqual(received[0], { path: "/webhooks/stripe/c2", type: "customer.created" })
      assert.strictEqual((yield* running(ask(() => client.customers.retrieve(id)))).id, id)
    }).pipe(Effect.scoped)
)

it.live("they say in a sentence which setting is missing, or which file is broken", () =>
  Effect.gen(function* () {
    const ports = { stripe: 0, scheduling: 0, pharmacy: 0 }
    const folder = yield* temporaryFolder()
    const complete = { ...environment, PUBLIC_URL: "http://127.0.0.1:1", CARE_DATA_DIR: folder }
    const failure = (env: Record<string, string>) =>
      Layer.build(Layer.provide(layerSandboxStandIns(ports), withEnvironment(env))).pipe(
        Effect.scoped,
        Effect.flip,
        Effect.map((error) => (error instanceof BootError ? error.message : "a crash"))
      )
    for (const name of ["PUBLIC_URL", "TEST_STRIPE_SECRET_KEY", "TEST_PHARMACY_WEBHOOK_SECRET"]) {
      const { [name]: _, ...others } = complete as Record<string, string>
      assert.match(yield* failure(others), new RegExp(`^${name} is missing: set it to .*\\.$`))
    }
    assert.strictEqual(
      yield* failure({ ...complete, CARE_DATA_DIR: "/proc/care" }),
      "CARE_DATA_DIR is /proc/care, which cannot be written to."
    )
    writeFileSync(join(folder, "test-scheduling.journal"), "broken\n")
    assert.match(
      yield* failure(complete),
      /^\/.*test-scheduling\.journal is broken in line 1\. Restore the file, .*\.$/
    )
  }).pipe(Effect.scoped)
)
