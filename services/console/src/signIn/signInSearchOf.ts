import { isConsolePath } from "@care/domain/admin"
import type { SignOnFailure } from "@care/domain/auth"
import { isSignOnFailure } from "./signOnFailed.ts"

interface SignInSearch {
  /** The path of the console to which the sign-in leads. */
  readonly next?: string | undefined
  /** Why the person comes back from a single sign-on without a session. */
  readonly error?: SignOnFailure | undefined
  /** Whether the session of the person has ended. */
  readonly ended?: true | undefined
}

/** Reads the search parameters of the sign-in. Undefined replaces what is not one. */
export const signInSearchOf = ({ ended, error, next }: Readonly<Record<string, unknown>>): SignInSearch => ({
  next: typeof next === "string" && isConsolePath(next) ? next : undefined,
  error: isSignOnFailure(error) ? error : undefined,
  ended: ended === true ? true : undefined
})
