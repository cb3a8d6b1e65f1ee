import { ConfigProvider, Layer } from "effect"
import { GatewaySettings } from "../GatewaySettings.ts"

/** The gateway's settings for an environment, and that environment. */
export const layerTestSettings = (environment: Readonly<Record<string, string>> = {}) =>
  GatewaySettings.layer.pipe(
    Layer.provideMerge(ConfigProvider.layer(ConfigProvider.fromUnknown({ ADMIN_TOKEN: "operator", ...environment })))
  )
