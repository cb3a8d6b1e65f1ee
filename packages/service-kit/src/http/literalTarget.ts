import { Option } from "effect"

const decode = Option.liftThrowable(decodeURI)

/**
 * The path and query of a target. A target may name a scheme and a host, as to a proxy: where a request goes is not for it to
 * say.
 */
export const originForm = (target: string): string => {
  if (target.startsWith("/")) return target
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, "")
  return rest === target || rest.startsWith("/") ? rest : `/${rest}`
}

/**
 * The target of a request with its path to be taken literally: the router would begin the query at `;` and `#`, too, and
 * know no path in which `%` does not encode UTF-8.
 */
export const literalTarget = (given: string): string => {
  const target = originForm(given)
  const mark = target.indexOf("?")
  const path = mark === -1 ? target : target.slice(0, mark)
  if (!/[;#%]/.test(path)) return target
  const escaped = Option.isSome(decode(path)) ? path : path.replaceAll("%", "%25")
  const literal = escaped.replaceAll(";", "%3B").replaceAll("#", "%23")
  return mark === -1 ? literal : literal + target.slice(mark)
}
