import type { SignOnFailure } from "@care/domain/auth"
import { isSignOnFailure } from "./signOnFailed.ts"

interface SignInSearch {
  /** The path of the console to which the sign-in leads. */
  readonly next?: string | undefined
  /** Why the person comes back from a single sign-on without a session. */
  readonly error?: SignOnFailure | undefined
}

const isPathOfConsole = (value: unknown): value is string => {
  if (typeof value !== "string" || !/^\/(?![/\\])/.test(value)) return false
  const { pathname } = new URL(`/console${value}`, location.origin)
  return pathname.startsWith("/console/") && !pathname.startsWith("/console/sign-in")
}

/** Reads the search parameters of the sign-in. Undefined replaces what is not one. */
export const signInSearchOf = ({ error, next }: Readonly<Record<string, unknown>>): SignInSearch => ({
  next: isPathOfConsole(next) ? next : undefined,
  error: isSignOnFailure(error) ? error : undefined
})
