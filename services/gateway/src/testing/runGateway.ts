import { Listening } from "@care/service-kit"
import { layerTestConfig } from "@care/service-kit/testing"
import { ConfigProvider, Context, Effect, Layer, Logger } from "effect"
import { layerGateway } from "../GatewayService.ts"
import { answerLength, type Handle, type KnownStaff, resolveKnownKey, upstream } from "./Upstream.ts"

interface GatewayOptions {
  readonly environment?: Readonly<Record<string, string>>
  readonly handle?: Handle
  readonly resolveKey?: Handle
  readonly staff?: KnownStaff
  readonly storeRequests?: Handle
  /** The quotas that organizations have reached. */
  readonly reachedQuotas?: ReadonlyArray<object>
  /** Receives the log, one line for each entry: level and message. */
  readonly lines?: Array<string>
}

/** Runs a gateway in this process with an environment, before fakes of the four services. */
export const runGateway = Effect.fnUntraced(function* ({
  environment,
  handle = answerLength,
  resolveKey = resolveKnownKey,
  staff,
  storeRequests,
  reachedQuotas,
  lines = []
}: GatewayOptions = {}) {
  const { targets, url } = yield* upstream(resolveKey, handle, staff, storeRequests, reachedQuotas)
  const services = { AUTH_URL: url, CASES_URL: url, PAYMENTS_URL: url, SCHEDULING_URL: url }
  const provider = ConfigProvider.fromUnknown({ ADMIN_TOKEN: "operator", ...services, ...environment })
  const gateway = layerGateway.pipe(
    Layer.provide([
      layerTestConfig({ name: "gateway" }),
      ConfigProvider.layer(provider),
      Logger.layer([Logger.make(({ logLevel, message }) => void lines.push(`${logLevel} ${message}`))])
    ])
  )
  const context = yield* Layer.build(Layer.fresh(gateway))
  return { url: Context.get(context, Listening).url, targets }
})
