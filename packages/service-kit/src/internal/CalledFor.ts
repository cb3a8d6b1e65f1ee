import { Context } from "effect"

/**
 * The organization for which a service is called that asks somebody else's server: its calls that fail stop no other's. Undefined
 * when the call is for none.
 */
export const CalledFor = Context.Reference<string | undefined>("@care/service-kit/CalledFor", {
  defaultValue: () => undefined
})
