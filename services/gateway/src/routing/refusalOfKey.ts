import type { Scope } from "@care/domain/auth"
import { ScopeMissing } from "@care/domain/http"
import type { KnownCaller } from "./Callers.ts"

/** Returns why a caller's key may not be used for an operation, or undefined. */
export const refusalOfKey = ({ scopes }: KnownCaller, needed: Scope | undefined): ScopeMissing | undefined =>
  needed === undefined || scopes === undefined || scopes.includes(needed)
    ? undefined
    : new ScopeMissing({ scope: needed })
