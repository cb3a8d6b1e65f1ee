import { Effect, Layer, Logger, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { discreetTracer } from "./discreetTracer.ts"

/** Provides logs (JSON in production, readable otherwise) and traces (OTLP, if an endpoint is configured). */
export const layerTelemetry = Layer.unwrap(
  Effect.map(ServiceConfig, ({ isProduction, name, otlpEndpoint }) => {
    const logs = Logger.layer([isProduction ? Logger.consoleJson : Logger.consolePretty({ mode: "tty" })])
    // Without an exporter no span is made.
    if (otlpEndpoint === undefined) return Layer.merge(logs, Layer.succeed(References.TracerEnabled, false))
    const tracer = OtlpTracer.make({
      url: `${otlpEndpoint.replace(/\/$/, "")}/v1/traces`,
      resource: { serviceName: `care-${name}` }
    })
    const traces = Layer.effect(Tracer.Tracer, Effect.map(tracer, discreetTracer)).pipe(
      Layer.provideMerge(OtlpExporter.layerFlusher),
      Layer.provide([OtlpSerialization.layerJson, FetchHttpClient.layer])
    )
    return Layer.merge(logs, traces)
  })
)
