import { Cause, Exit, type Tracer } from "effect"
import { safeCause } from "./safeCause.ts"

// A query may name a person.
const hidden: ReadonlySet<string> = new Set(["url.full", "url.query"])

const failureOf = (cause: Cause.Cause<unknown>): Error => {
  const [told = "", ...frames] = safeCause(cause).split("\n")
  const [name = told] = told.split(":", 1)
  const error = new Error(told)
  error.name = name
  error.stack = [told, ...frames].join("\n")
  return error
}

const discreet = (exit: Exit.Exit<unknown, unknown>): Exit.Exit<unknown, unknown> =>
  Exit.isSuccess(exit) || Cause.hasInterruptsOnly(exit.cause) ? exit : Exit.fail(failureOf(exit.cause))

/**
 * Makes a tracer whose spans have only the kind and place of a failure, and only the path of a URL. The library records whole errors, which
 * may have data of a person.
 */
export const discreetTracer = (tracer: Tracer.Tracer): Tracer.Tracer => ({
  ...tracer,
  span(options) {
    const span = tracer.span(options)
    const attribute = span.attribute.bind(span)
    const end = span.end.bind(span)
    return Object.assign(span, {
      attribute: (key: string, value: unknown) => {
        if (!hidden.has(key)) attribute(key, value)
      },
      end: (endTime: bigint, exit: Exit.Exit<unknown, unknown>) => end(endTime, discreet(exit))
    })
  }
})
