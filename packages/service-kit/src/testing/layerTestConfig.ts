import { Layer, Redacted } from "effect"
import { ServiceConfig } from "../config/ServiceConfig.ts"

/** Provides the configuration of a process in a test. It listens on a free port of this machine by default. */
export const layerTestConfig = (changes: Partial<ServiceConfig["Service"]> = {}) =>
  Layer.succeed(ServiceConfig, {
    name: "test",
    host: "127.0.0.1",
    port: 0,
    isProduction: false,
    internalSecrets: [Redacted.make("secret")],
    otlpEndpoint: undefined,
    ...changes
  })
