import { Effect, Layer } from "effect"
import { RequestLog, layerRequestLog as recording } from "../../../services/gateway/src/forwarding/RequestLog.ts"

export { RequestLog }

/** Replaces the request log in the program that `withSwitchedLog` builds. Each SIGUSR2 switches it on or off. */
export const layerRequestLog = Layer.effect(
  RequestLog,
  Effect.gen(function* () {
    const log = yield* RequestLog
    let isOn = true
    process.on("SIGUSR2", () => {
      isOn = !isOn
    })
    return { logged: (request, answer) => (isOn ? log.logged(request, answer) : answer) }
  })
).pipe(Layer.provide(recording))
