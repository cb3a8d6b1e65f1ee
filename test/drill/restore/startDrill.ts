import { join } from "node:path"
import { findFreeBase, forEveryService, offsets, readSecrets, type StartSettings, startSuite } from "@care/sandbox"
import { runPharmacy, runScheduling, runStripe } from "@care/stand-ins"
import { Effect } from "effect"
import { makeOwners } from "../../src/harness/makeOwners.ts"
import { pharmacyAt, Suite, schedulingProviderAt, stripeAt, urlsFrom } from "../../src/harness/Suite.ts"
import { makeArchivedPostgres } from "./ArchivedPostgres.ts"

/** Starts the third parties, which outlive the suite, and returns what starts PostgreSQL and the suite. `programOf` returns programs to run. */
export const startDrill = Effect.fnUntraced(function* (
  folder: string,
  programOf: Required<StartSettings>["programOf"]
) {
  const port = yield* findFreeBase(Object.values(offsets))
  const dataDirectory = join(folder, "data")
  const secrets = yield* readSecrets(dataDirectory, false)
  const fileOf = (name: string) => join(dataDirectory, `${name}.journal`)
  const webhook = (name: string, secret: string) => ({ url: `${urlsFrom(port).gateway}/webhooks/${name}`, secret })
  yield* runPharmacy({
    port: port + offsets.pharmacy,
    accounts: [
      {
        token: secrets.PHARMACY_API_TOKEN,
        callback: webhook("pharmacy", secrets.PHARMACY_WEBHOOK_SECRET),
        file: fileOf("pharmacy")
      }
    ]
  })
  yield* runStripe({
    port: port + offsets.stripe,
    secretKey: secrets.STRIPE_SECRET_KEY,
    webhooks: [webhook("stripe", secrets.STRIPE_WEBHOOK_SECRET)],
    file: fileOf("stripe")
  })
  yield* runScheduling({
    port: port + offsets.schedulingProvider,
    token: secrets.SCHEDULING_API_TOKEN,
    webhooks: [webhook("scheduling", secrets.SCHEDULING_WEBHOOK_SECRET)],
    file: fileOf("scheduling"),
    // The drill itself compares often.
    limit: 1_000_000
  })

  const suiteOn = Effect.fnUntraced(function* (databaseUrl: string) {
    return Suite.of({
      urls: urlsFrom(port),
      databaseUrls: forEveryService(databaseUrl),
      owners: yield* makeOwners(forEveryService(databaseUrl)),
      secrets,
      pharmacyUrl: pharmacyAt(port),
      stripeUrl: stripeAt(port),
      schedulingProviderUrl: schedulingProviderAt(port),
      output: []
    })
  })

  return {
    pharmacyFile: fileOf("pharmacy"),
    postgres: makeArchivedPostgres({ folder, port: port + offsets.postgres, password: secrets.POSTGRES_PASSWORD }),
    /** The calls of the tests, on a database. */
    suiteOn,
    /** Starts the five processes on a database until the scope closes. */
    startSuite: (databaseUrl: string) =>
      startSuite(
        {
          port,
          host: "127.0.0.1",
          dataDirectory,
          databaseUrls: forEveryService(databaseUrl),
          publicUrl: urlsFrom(port).gateway,
          pharmacyUrl: pharmacyAt(port),
          stripeUrl: stripeAt(port),
          schedulingUrl: schedulingProviderAt(port),
          isProduction: false,
          isTerminal: false,
          programOf
        },
        () => {}
      )
  }
})
