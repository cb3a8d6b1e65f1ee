import { Option } from "effect"

const decode = Option.liftThrowable(decodeURI)

/** Returns the path and query of a target. It removes a scheme and a host, which a target may have as if it were sent to a proxy. */
export const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const pathAndQuery = target.replace(/^https?:\/\/[^/?#]*/i, "")
  return pathAndQuery === target || pathAndQuery.startsWith("/") ? pathAndQuery : `/${pathAndQuery}`
}

/** Escapes `;`, `#` and invalid `%` in the path of a target, which the router would not take literally. */
export const literalTarget = (requestTarget: string): string => {
  const target = originForm(requestTarget)
  const mark = target.indexOf("?")
  const path = mark === -1 ? target : target.slice(0, mark)
  if (!/[;#%]/.test(path)) return target
  const escaped = Option.isSome(decode(path)) ? path : path.replaceAll("%", "%25")
  const literal = escaped.replaceAll(";", "%3B").replaceAll("#", "%23")
  return mark === -1 ? literal : literal + target.slice(mark)
}
