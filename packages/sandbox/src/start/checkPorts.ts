import { gatewayPort } from "@care/domain/peers"
import { StartFailed } from "@care/stand-ins"
import { Effect, Schedule } from "effect"
import { portRefusal } from "../ports.ts"
import { areAllGiven, hasStandIn, highestPort, offsets, type StartSettings, standIns } from "./StartSettings.ts"

const otherPort = (port: number) => (port + 1000 > highestPort ? gatewayPort : port + 1000)

const sentence = (port: number, refusal: string, base: number): string => {
  const mend = `choose others, for example PORT=${otherPort(base)}`
  return refusal === "EADDRINUSE"
    ? `Port ${port} is taken: stop what listens there, or ${mend}.`
    : `Port ${port} cannot be used (${refusal}): ${mend}.`
}

const check = Effect.fnUntraced(function* (settings: StartSettings) {
  const { databaseUrls, port: base } = settings
  const unused = new Set(standIns.filter((name) => !hasStandIn(settings, name)).map((name) => offsets[name]))
  if (areAllGiven(databaseUrls)) unused.add(offsets.postgres)
  for (const offset of Object.values(offsets)) {
    if (unused.has(offset)) continue
    const refusal = yield* portRefusal(base + offset)
    if (refusal !== undefined) {
      return yield* new StartFailed({ message: sentence(base + offset, refusal, base) })
    }
  }
})

/** Fails with a sentence when a port is taken. It waits for processes of a killed start. */
export const checkPorts = (settings: StartSettings, wasKilled: boolean): Effect.Effect<void, StartFailed> =>
  wasKilled
    ? Effect.retry(check(settings), Schedule.spaced("250 millis").pipe(Schedule.upTo({ times: 20 })))
    : check(settings)
