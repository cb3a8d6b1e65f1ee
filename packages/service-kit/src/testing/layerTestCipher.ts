import { randomBytes } from "node:crypto"
import { ConfigProvider, Layer } from "effect"
import { PhiCipher } from "../crypto/PhiCipher.ts"

/** The cipher with a key of its own. */
export const layerTestCipher = PhiCipher.layer.pipe(
  Layer.provide(
    ConfigProvider.layer(ConfigProvider.fromUnknown({ PHI_KEY: `k1:${randomBytes(32).toString("base64")}` }))
  )
)
