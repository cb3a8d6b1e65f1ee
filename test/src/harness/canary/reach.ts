import { Predicate } from "effect"
import type { Exchange } from "../call.ts"
import { operationOf } from "../operations.ts"
import { health, isIn, names, own } from "./markers.ts"

const bodyOf = ({ options: { body, raw } }: Exchange): unknown => (raw === undefined ? body : JSON.parse(raw))

/** The operation that a call was. */
const operationIn = (exchange: Exchange): string | undefined => {
  const body = bodyOf(exchange)
  const action = Predicate.hasProperty(body, "action") ? body.action : undefined
  return operationOf(exchange.method, exchange.path, action)
}

const isMarked = (exchange: Exchange): boolean => {
  const sent = `${decodeURIComponent(exchange.path)} ${JSON.stringify(bodyOf(exchange) ?? "")}`
  return [health, own, ...names].some((marker) => isIn(sent, marker))
}

/** A call of each operation that took what is marked, and was not refused. */
export const acceptedIn = (exchanges: ReadonlyArray<Exchange>): ReadonlyMap<string, Exchange> =>
  new Map(
    exchanges
      .filter((exchange) => exchange.answer.status < 300 && isMarked(exchange))
      .map((exchange) => [operationIn(exchange) ?? "", exchange])
  )
