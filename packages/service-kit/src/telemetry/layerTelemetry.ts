import { Cause, Effect, Exit, Layer, Logger, References, Tracer } from "effect"
import { FetchHttpClient } from "effect/http"
import { OtlpExporter, OtlpSerialization, OtlpTracer } from "effect/observability"
import { ServiceConfig } from "../config/ServiceConfig.ts"
import { safeCause } from "./safeCause.ts"

// A query may name a person.
const hiddenAttributes: ReadonlySet<string> = new Set(["url.full", "url.query"])

const failureOf = (cause: Cause.Cause<unknown>): Error => {
  const [message = "", ...frames] = safeCause(cause).split("\n")
  const [name = message] = message.split(":", 1)
  const error = new Error(message)
  error.name = name
  error.stack = [message, ...frames].join("\n")
  return error
}

const withSafeFailure = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? exit : Exit.fail(failureOf(exit.cause))

/** Makes a tracer whose spans have only the kind and place of a failure and the path of a URL, because errors may contain personal data. */
export const discreetTracer = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span(options) {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    const end = span.end.bind(span)
    return Object.assign(span, {
      attribute: (key: string, value: unknown) => {
        if (!hiddenAttributes.has(key)) attribute(key, value)
      },
      end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, withSafeFailure(exit))
    })
  }
})

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
