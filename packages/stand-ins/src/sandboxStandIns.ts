import { join } from "node:path"
import { firstCell } from "@care/domain/cells"
import {
  BootError,
  cellSetting,
  dataDirectorySetting,
  hostSetting,
  makeFolder,
  publicUrlSetting,
  readSettings,
  secret,
  secretCredential,
  secretList,
  secretSetting
} from "@care/service-kit"
import { Config, Effect, Layer, Redacted } from "effect"
import { runPharmacy } from "./pharmacy/runPharmacy.ts"
import type { sandboxPorts } from "./sandboxPorts.ts"
import { runScheduling } from "./scheduling/runScheduling.ts"
import { runStripe } from "./stripe/runStripe.ts"

const settings = Config.all({
  host: hostSetting,
  folder: dataDirectorySetting,
  publicUrl: publicUrlSetting,
  cell: cellSetting
})

const readKey = (name: string) =>
  Effect.map(secret(secretSetting(name, "the value that the services have", ""), secretCredential), Redacted.value)

// It signs with the first of several secrets, as the services expect of one that is being replaced.
const readSigningSecret = (name: string) =>
  Effect.map(secret(secretSetting(name, "the value that the services have", ""), secretList), ([first]) =>
    Redacted.value(first)
  )

/**
 * The stand-ins for the third parties of sandboxes as a process, for an installation without test accounts. They keep what they know in
 * files, and send events to the gateway's public URL, as third parties do.
 */
export const layerSandboxStandIns = (ports: typeof sandboxPorts) =>
  Layer.effectDiscard(
    Effect.gen(function* () {
      const { cell, folder, host, publicUrl } = yield* readSettings(settings)
      if (publicUrl === undefined) {
        return yield* new BootError({ message: "PUBLIC_URL is missing: set it to the URL of the gateway." })
      }
      const webhook = (name: string, secret: string) => ({
        url: `${publicUrl.replace(/\/+$/, "")}/webhooks/${name}${cell === firstCell ? "" : `/${cell}`}`,
        secret
      })
      yield* Effect.try({
        try: () => makeFolder(folder, 0o700),
        catch: () => new BootError({ message: `CARE_DATA_DIR is ${folder}, which cannot be written to.` })
      })
      const fileOf = (name: string) => join(folder, `test-${name}.journal`)
      yield* runStripe({
        host,
        port: ports.stripe,
        secretKey: yield* readKey("TEST_STRIPE_SECRET_KEY"),
        webhooks: [webhook("stripe", yield* readSigningSecret("TEST_STRIPE_WEBHOOK_SECRET"))],
        file: fileOf("stripe")
      })
      yield* runScheduling({
        host,
        port: ports.scheduling,
        token: yield* readKey("TEST_SCHEDULING_API_TOKEN"),
        webhooks: [webhook("scheduling", yield* readSigningSecret("TEST_SCHEDULING_WEBHOOK_SECRET"))],
        file: fileOf("scheduling")
      })
      yield* runPharmacy({
        host,
        port: ports.pharmacy,
        accounts: [
          {
            token: yield* readKey("TEST_PHARMACY_API_TOKEN"),
            callback: webhook("pharmacy", yield* readSigningSecret("TEST_PHARMACY_WEBHOOK_SECRET")),
            file: fileOf("pharmacy")
          }
        ]
      })
    }).pipe(Effect.catchTag("StartFailed", ({ message }) => new BootError({ message })))
  )
