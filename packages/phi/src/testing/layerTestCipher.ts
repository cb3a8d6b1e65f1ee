import { randomBytes } from "node:crypto"
import { ConfigProvider, Layer } from "effect"
import { PhiCipher } from "../cipher/PhiCipher.ts"

export const makePhiKey = (id: string): string => `${id}:${randomBytes(32).toString("base64")}`

export const layerTestCipherWith = (...keys: ReadonlyArray<string>) =>
  Layer.fresh(PhiCipher.layer).pipe(
    Layer.provide(ConfigProvider.layer(ConfigProvider.fromUnknown({ PHI_KEY: keys.join(",") })))
  )

export const layerTestCipher = layerTestCipherWith(makePhiKey("k1"))
